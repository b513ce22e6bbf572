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
