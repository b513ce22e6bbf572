// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {StockToken} from "./StockToken.sol";

/// Holds the implementation of every stock token.
contract StockBeacon {
    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }
}

/// A proxy that reads the implementation from its beacon at every call (EIP-1967 beacon slot).
contract StockProxy {
    /// bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1)
    bytes32 private constant BEACON_SLOT =
        0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    constructor(address beacon) {
        assembly ("memory-safe") {
            sstore(BEACON_SLOT, beacon)
        }
    }

    fallback() external payable {
        address beacon;
        assembly ("memory-safe") {
            beacon := sload(BEACON_SLOT)
        }
        address target = StockBeacon(beacon).implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// Deploys stock tokens and emits one event for each.
contract StockFactory {
    address public immutable beacon;

    event Deployed(bytes32 indexed uid, address stock, string name, string symbol);

    constructor(address beacon_) {
        beacon = beacon_;
    }

    function deploy(bytes32 uid, string calldata name, string calldata symbol)
        external
        returns (address stock)
    {
        stock = address(new StockProxy{salt: uid}(beacon));
        StockToken(stock).initialize(uid, name, symbol);
        emit Deployed(uid, stock, name, symbol);
    }
}
