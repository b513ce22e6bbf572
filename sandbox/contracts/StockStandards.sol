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

/// A stock whose balances the issuer rescales without transfers, as for a split or dividend. What
/// arrives is never less than what was sent, so that pools accept it.
contract RebasingStock {
    string public name;
    string public symbol;
    uint8 public immutable decimals;

    /// Tokens per share of the supply, 1e18 = one.
    uint256 public scale = 1e18;
    uint256 private totalShares;
    mapping(address => uint256) private sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function totalSupply() external view returns (uint256) {
        return (totalShares * scale) / 1e18;
    }

    function balanceOf(address owner) public view returns (uint256) {
        return (sharesOf[owner] * scale) / 1e18;
    }

    /// Changes every balance, and emits nothing.
    function rebase(uint256 scale_) external {
        scale = scale_;
    }

    function mint(address to, uint256 value) external {
        uint256 shares = toShares(value);
        totalShares += shares;
        sharesOf[to] += shares;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        uint256 shares = toShares(value);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, value);
        return true;
    }

    /// Rounded up.
    function toShares(uint256 value) private view returns (uint256) {
        return (value * 1e18 + scale - 1) / scale;
    }
}
