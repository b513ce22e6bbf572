// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/// Keeps bytes as the code of a contract.
contract CodePart {
    constructor(bytes memory data) {
        assembly {
            return(add(data, 32), mload(data))
        }
    }
}

/// Creates the pools of PancakeSwap v3's factory: the package of their contracts has none that does.
/// It has what the pools and the factory ask of it: `parameters()` during a creation, and `deploy`.
contract PancakePoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    address public factoryAddress;

    // The creation code of a pool is larger than a contract may be.
    CodePart private immutable first;
    CodePart private immutable second;

    constructor(bytes memory firstHalf, bytes memory secondHalf) {
        (first, second) = (new CodePart(firstHalf), new CodePart(secondHalf));
    }

    function setFactoryAddress(address factory) external {
        require(factoryAddress == address(0), "it has a factory");
        factoryAddress = factory;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        require(msg.sender == factoryAddress, "only its factory creates pools");
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code = abi.encodePacked(address(first).code, address(second).code);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly {
            pool := create2(0, add(code, 32), mload(code), salt)
        }
        require(pool != address(0), "the pool was not created");
        delete parameters;
    }
}
