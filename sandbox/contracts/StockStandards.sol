// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {Erc20} from "./Erc20.sol";

/// A stock whose multiplier has the name of Base's B20 tokens, the alias of ERC-8056's.
contract AliasedStock is Erc20 {
    /// Shares per token, 1e18 = one.
    uint256 public immutable multiplier;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 multiplier_)
        Erc20(name_, symbol_, decimals_)
    {
        multiplier = multiplier_;
    }
}

/// A wrapper of another stock: as much of ERC-4626 as says what a token is worth.
contract WrappedStock is Erc20 {
    address public immutable asset;
    /// Raw assets of one whole token.
    uint256 private immutable assetsPerToken;
    uint256 private immutable oneToken;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address asset_,
        uint256 assetsPerToken_
    ) Erc20(name_, symbol_, decimals_) {
        (asset, assetsPerToken, oneToken) = (asset_, assetsPerToken_, 10 ** decimals_);
    }

    function convertToAssets(uint256 shares) external view returns (uint256) {
        return (shares * assetsPerToken) / oneToken;
    }
}
