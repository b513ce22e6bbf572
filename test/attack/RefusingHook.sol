// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {PoolKey, SwapParams} from "./Uniswap.sol";

/// Only one contract may trade. Address flag: beforeSwap (1 << 7).
contract RefusingHook {
    address private immutable friend;

    constructor(address friend_) {
        friend = friend_;
    }

    function beforeSwap(address sender, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        require(sender == friend, "not for you");
        return (this.beforeSwap.selector, 0, 0);
    }
}
