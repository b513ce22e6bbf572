// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {PoolKey, SwapParams, V4Manager} from "./Uniswap.sol";

// The low 14 bits of a v4 hook's address select the functions that the PoolManager calls, so
// each contract here only works at an address that was searched for (CREATE2).

/// Sets the LP fee of every swap: 0.05 % to 0.30 %, changing each minute.
/// Address flags: afterInitialize (1 << 12), beforeSwap (1 << 7).
contract DynamicFeeHook {
    uint24 private constant FEE_MIN = 500;
    uint24 private constant FEE_STEP = 250;
    uint256 private constant FEE_STEPS = 11;
    uint24 private constant OVERRIDE_FEE = 0x400000;

    V4Manager private immutable manager;

    constructor(V4Manager manager_) {
        manager = manager_;
    }

    function afterInitialize(address, PoolKey calldata key, uint160, int24) external returns (bytes4) {
        manager.updateDynamicLPFee(key, FEE_MIN);
        return this.afterInitialize.selector;
    }

    function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        uint24 step = uint24((block.timestamp / 60) % FEE_STEPS);
        return (this.beforeSwap.selector, 0, (FEE_MIN + step * FEE_STEP) | OVERRIDE_FEE);
    }
}

/// Keeps 0.1 % of the unspecified side of a swap; the Swap log does not show it.
/// Address flags: afterSwap (1 << 6), afterSwapReturnsDelta (1 << 2).
contract ReturnsDeltaHook {
    int128 private constant SHARE = 1000;

    V4Manager private immutable manager;

    constructor(V4Manager manager_) {
        manager = manager_;
    }

    function afterSwap(
        address,
        PoolKey calldata key,
        SwapParams calldata params,
        int256 delta,
        bytes calldata
    ) external returns (bytes4, int128) {
        bool openSideIs1 = (params.amountSpecified < 0) == params.zeroForOne;
        int128 open = openSideIs1 ? int128(delta) : int128(delta >> 128);
        int128 kept = (open < 0 ? -open : open) / SHARE;
        if (kept > 0) {
            address currency = openSideIs1 ? key.currency1 : key.currency0;
            manager.take(currency, address(this), uint128(kept));
        }
        return (this.afterSwap.selector, kept);
    }

    receive() external payable {}
}
