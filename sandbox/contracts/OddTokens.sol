// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {Erc20} from "./Erc20.sol";

/// A token whose `decimals` reverts.
contract NoDecimalsToken is Erc20 {
    constructor() Erc20("No Decimals", "NODEC", 18) {}

    function decimals() external pure override returns (uint8) {
        revert("no decimals");
    }
}

/// The oldest tokens return `symbol` as bytes32: 32 raw bytes instead of an ABI string.
contract Bytes32SymbolToken is Erc20 {
    constructor() Erc20("Old Style", "unused", 18) {}

    function symbol() external pure override returns (string memory) {
        assembly ("memory-safe") {
            mstore(0, "OLD32")
            return(0, 32)
        }
    }
}
