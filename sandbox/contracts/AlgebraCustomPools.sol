// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

interface AlgebraFactory {
    function createCustomPool(address deployer, address creator, address a, address b, bytes calldata data)
        external
        returns (address);
}

/// Creates custom pools of Algebra's factory, as their deployer: pools of its own for any tokens.
contract AlgebraCustomPools {
    AlgebraFactory private immutable factory;

    constructor(AlgebraFactory factory_) {
        factory = factory_;
    }

    function createPool(address a, address b, bytes calldata data) external returns (address) {
        return factory.createCustomPool(address(this), msg.sender, a, b, data);
    }

    /// The factory asks for the pool's plugin: none.
    function beforeCreatePoolHook(address, address, address, address, address, bytes calldata)
        external
        pure
        returns (address)
    {
        return address(0);
    }

    function afterCreatePoolHook(address, address, address) external pure {}
}
