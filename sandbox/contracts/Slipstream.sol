// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {LiquidityMath} from "@uniswap/v4-core/src/libraries/LiquidityMath.sol";
import {SqrtPriceMath} from "@uniswap/v4-core/src/libraries/SqrtPriceMath.sol";
import {SwapMath} from "@uniswap/v4-core/src/libraries/SwapMath.sol";
import {TickBitmap} from "@uniswap/v4-core/src/libraries/TickBitmap.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {Token} from "./Uniswap.sol";

interface SlipstreamPayer {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external;
}

interface SlipstreamFees {
    function getSwapFee(address pool) external view returns (uint24);
}

interface Balances {
    function balanceOf(address owner) external view returns (uint256);
}

/// The pools of a Slipstream venue, of which no package has the bytecode. Each is an EIP-1167 clone
/// of one contract with what a client can see of the real one: events, calls, storage slots, and the
/// maths of Uniswap's libraries. All of its liquidity counts as staked, so that the fees are the
/// gauge's; rewards and the oracle are left out, and so are the slots of their variables.
contract SlipstreamPool {
    using TickBitmap for mapping(int16 => uint256);

    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        uint16 observationIndex;
        uint16 observationCardinality;
        uint16 observationCardinalityNext;
        bool unlocked;
    }

    struct Tick {
        uint128 liquidityGross;
        int128 liquidityNet;
        int128 stakedLiquidityNet;
    }

    struct Position {
        uint128 liquidity;
        uint256 feeGrowthInside0LastX128;
        uint256 feeGrowthInside1LastX128;
        uint128 tokensOwed0;
        uint128 tokensOwed1;
    }

    struct GaugeFees {
        uint128 token0;
        uint128 token1;
    }

    address public factory; // slot 0
    address public token0;
    address public token1;
    address public gauge;
    uint256[2] private unusedBeforePrice;
    Slot0 public slot0; // slot 6
    uint256[3] private unusedGrowth;
    GaugeFees public gaugeFees; // slot 10
    uint256[4] private unusedRewards;
    uint128 public stakedLiquidity; // slot 15
    int24 public tickSpacing;
    uint128 public liquidity; // slot 16
    mapping(int24 => Tick) public ticks;
    mapping(int16 => uint256) public tickBitmap;
    mapping(bytes32 => Position) public positions;

    event Initialize(uint160 sqrtPriceX96, int24 tick);
    event Mint(
        address sender,
        address indexed owner,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount,
        uint256 amount0,
        uint256 amount1
    );
    event Burn(
        address indexed owner,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount,
        uint256 amount0,
        uint256 amount1
    );
    event Collect(
        address indexed owner,
        address recipient,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount0,
        uint128 amount1
    );
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );

    modifier lock() {
        require(slot0.unlocked, "LOK");
        slot0.unlocked = false;
        _;
        slot0.unlocked = true;
    }

    function initialize(
        address factory_,
        address tokenA,
        address tokenB,
        int24 spacing,
        uint160 sqrtPriceX96
    ) external {
        require(factory == address(0) && factory_ != address(0), "it is initialised");
        (factory, token0, token1, tickSpacing) = (factory_, tokenA, tokenB, spacing);
        int24 tick = TickMath.getTickAtSqrtPrice(sqrtPriceX96);
        slot0 = Slot0(sqrtPriceX96, tick, 0, 1, 1, true);
        emit Initialize(sqrtPriceX96, tick);
    }

    function fee() public view returns (uint24) {
        return SlipstreamFees(factory).getSwapFee(address(this));
    }

    function mint(address owner, int24 lower, int24 upper, uint128 amount, bytes calldata data)
        external
        lock
        returns (uint256 amount0, uint256 amount1)
    {
        require(amount > 0 && lower < upper);
        require(lower >= TickMath.MIN_TICK && upper <= TickMath.MAX_TICK);
        (amount0, amount1) = amountsOf(lower, upper, amount, true);
        positionAt(owner, lower, upper).liquidity += amount;
        change(lower, upper, int128(amount));
        (uint256 before0, uint256 before1) = (balanceOf(token0), balanceOf(token1));
        SlipstreamPayer(msg.sender).uniswapV3MintCallback(amount0, amount1, data);
        require(balanceOf(token0) >= before0 + amount0, "M0");
        require(balanceOf(token1) >= before1 + amount1, "M1");
        emit Mint(msg.sender, owner, lower, upper, amount, amount0, amount1);
    }

    function burn(int24 lower, int24 upper, uint128 amount)
        external
        lock
        returns (uint256 amount0, uint256 amount1)
    {
        (amount0, amount1) = amountsOf(lower, upper, amount, false);
        Position storage position = positionAt(msg.sender, lower, upper);
        position.liquidity -= amount;
        position.tokensOwed0 += uint128(amount0);
        position.tokensOwed1 += uint128(amount1);
        if (amount > 0) change(lower, upper, -int128(amount));
        emit Burn(msg.sender, lower, upper, amount, amount0, amount1);
    }

    function collect(address to, int24 lower, int24 upper, uint128 max0, uint128 max1)
        external
        lock
        returns (uint128 amount0, uint128 amount1)
    {
        Position storage position = positionAt(msg.sender, lower, upper);
        amount0 = max0 < position.tokensOwed0 ? max0 : position.tokensOwed0;
        amount1 = max1 < position.tokensOwed1 ? max1 : position.tokensOwed1;
        position.tokensOwed0 -= amount0;
        position.tokensOwed1 -= amount1;
        pay(token0, to, amount0);
        pay(token1, to, amount1);
        emit Collect(msg.sender, to, lower, upper, amount0, amount1);
    }

    /// A swap under way; `remaining` is positive for an exact input.
    struct State {
        bool zeroForOne;
        bool exactInput;
        uint160 limit;
        uint24 feePips;
        int256 remaining;
        int256 calculated;
        uint160 price;
        int24 tick;
        uint128 liquidity;
        uint256 fees;
    }

    /// `amount`: positive for an exact input, negative for an exact output.
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        lock
        returns (int256 amount0, int256 amount1)
    {
        uint160 price = slot0.sqrtPriceX96;
        require(amount != 0, "AS");
        require(
            zeroForOne
                ? limit < price && limit > TickMath.MIN_SQRT_PRICE
                : limit > price && limit < TickMath.MAX_SQRT_PRICE,
            "SPL"
        );
        State memory state =
            State(zeroForOne, amount > 0, limit, fee(), amount, 0, price, slot0.tick, liquidity, 0);
        while (state.remaining != 0 && state.price != limit) step(state);
        (slot0.sqrtPriceX96, slot0.tick) = (state.price, state.tick);
        (liquidity, stakedLiquidity) = (state.liquidity, state.liquidity);
        if (zeroForOne) gaugeFees.token0 += uint128(state.fees);
        else gaugeFees.token1 += uint128(state.fees);
        (amount0, amount1) = zeroForOne == (amount > 0)
            ? (amount - state.remaining, state.calculated)
            : (state.calculated, amount - state.remaining);
        settle(to, zeroForOne, amount0, amount1, data);
        emit Swap(msg.sender, to, amount0, amount1, state.price, state.liquidity, state.tick);
    }

    /// To the next tick of the bitmap's word, or as far as the amount goes.
    function step(State memory state) private view {
        uint160 start = state.price;
        (int24 next, bool initialized) =
            tickBitmap.nextInitializedTickWithinOneWord(state.tick, tickSpacing, state.zeroForOne);
        if (next < TickMath.MIN_TICK) next = TickMath.MIN_TICK;
        if (next > TickMath.MAX_TICK) next = TickMath.MAX_TICK;
        uint160 priceNext = TickMath.getSqrtPriceAtTick(next);
        moveTo(state, SwapMath.getSqrtPriceTarget(state.zeroForOne, priceNext, state.limit));
        if (state.price == priceNext) {
            if (initialized) {
                int128 net = ticks[next].liquidityNet;
                state.liquidity = LiquidityMath.addDelta(state.liquidity, state.zeroForOne ? -net : net);
            }
            state.tick = state.zeroForOne ? next - 1 : next;
        } else if (state.price != start) {
            state.tick = TickMath.getTickAtSqrtPrice(state.price);
        }
    }

    /// Within one range of liquidity.
    function moveTo(State memory state, uint160 target) private pure {
        (uint160 price, uint256 input, uint256 output, uint256 feeAmount) = SwapMath.computeSwapStep(
            state.price, target, state.liquidity, -state.remaining, state.feePips
        );
        state.price = price;
        state.fees += feeAmount;
        (int256 paid, int256 taken) = (int256(input + feeAmount), int256(output));
        state.remaining -= state.exactInput ? paid : -taken;
        state.calculated += state.exactInput ? -taken : paid;
    }

    function settle(address to, bool zeroForOne, int256 amount0, int256 amount1, bytes calldata data)
        private
    {
        (address paid, int256 due) = zeroForOne ? (token0, amount0) : (token1, amount1);
        if (zeroForOne && amount1 < 0) pay(token1, to, uint256(-amount1));
        if (!zeroForOne && amount0 < 0) pay(token0, to, uint256(-amount0));
        uint256 before = balanceOf(paid);
        SlipstreamPayer(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        require(balanceOf(paid) >= before + uint256(due), "IIA");
    }

    /// What a range of so much liquidity holds at the present price.
    function amountsOf(int24 lower, int24 upper, uint128 amount, bool roundUp)
        private
        view
        returns (uint256 amount0, uint256 amount1)
    {
        (uint160 low, uint160 high) =
            (TickMath.getSqrtPriceAtTick(lower), TickMath.getSqrtPriceAtTick(upper));
        (uint160 price, int24 tick) = (slot0.sqrtPriceX96, slot0.tick);
        if (tick < upper) {
            uint160 from = tick < lower ? low : price;
            amount0 = SqrtPriceMath.getAmount0Delta(from, high, amount, roundUp);
        }
        if (tick >= lower) {
            uint160 to = tick < upper ? price : high;
            amount1 = SqrtPriceMath.getAmount1Delta(low, to, amount, roundUp);
        }
    }

    function change(int24 lower, int24 upper, int128 delta) private {
        changeTick(lower, delta, delta);
        changeTick(upper, delta, -delta);
        if (lower > slot0.tick || slot0.tick >= upper) return;
        liquidity = LiquidityMath.addDelta(liquidity, delta);
        stakedLiquidity = liquidity;
    }

    function changeTick(int24 tick, int128 gross, int128 net) private {
        uint128 before = ticks[tick].liquidityGross;
        uint128 afterwards = LiquidityMath.addDelta(before, gross);
        ticks[tick].liquidityGross = afterwards;
        ticks[tick].liquidityNet += net;
        ticks[tick].stakedLiquidityNet += net;
        if ((before == 0) != (afterwards == 0)) tickBitmap.flipTick(tick, tickSpacing);
    }

    function positionAt(address owner, int24 lower, int24 upper)
        private
        view
        returns (Position storage)
    {
        return positions[keccak256(abi.encodePacked(owner, lower, upper))];
    }

    function balanceOf(address token) private view returns (uint256) {
        return Balances(token).balanceOf(address(this));
    }

    function pay(address token, address to, uint256 amount) private {
        if (amount > 0) require(Token(token).transfer(to, amount), "transfer refused");
    }
}

/// Creates the pools of Slipstream: one for each pair and tick spacing, a clone that is given its
/// price before the creation is logged.
contract SlipstreamFactory {
    address public immutable poolImplementation = address(new SlipstreamPool());
    mapping(int24 => uint24) public tickSpacingToFee;
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;
    address[] public allPools;

    event PoolCreated(
        address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool
    );

    constructor() {
        tickSpacingToFee[1] = 100;
        tickSpacingToFee[50] = 500;
        tickSpacingToFee[100] = 500;
        tickSpacingToFee[200] = 3000;
        tickSpacingToFee[2000] = 10_000;
    }

    function allPoolsLength() external view returns (uint256) {
        return allPools.length;
    }

    /// Moves every hundred blocks, without any log.
    function getSwapFee(address pool) external view returns (uint24) {
        uint24 fee = tickSpacingToFee[SlipstreamPool(pool).tickSpacing()];
        return fee + uint24((block.number / 100) % 5) * 20;
    }

    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160 sqrtPriceX96)
        external
        returns (address pool)
    {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != address(0) && token0 != token1);
        require(tickSpacingToFee[tickSpacing] != 0);
        require(getPool[token0][token1][tickSpacing] == address(0));
        pool = clone(keccak256(abi.encode(token0, token1, tickSpacing)));
        SlipstreamPool(pool).initialize(address(this), token0, token1, tickSpacing, sqrtPriceX96);
        allPools.push(pool);
        getPool[token0][token1][tickSpacing] = pool;
        getPool[token1][token0][tickSpacing] = pool;
        emit PoolCreated(token0, token1, tickSpacing, pool);
    }

    /// EIP-1167.
    function clone(bytes32 salt) private returns (address pool) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73",
            poolImplementation,
            hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            pool := create2(0, add(code, 32), mload(code), salt)
        }
        require(pool != address(0), "the pool was not created");
    }
}

/// Says what a swap would do, by a swap that it reverts.
contract SlipstreamQuoter {
    struct Single {
        address tokenIn;
        address tokenOut;
        uint256 amount;
        int24 tickSpacing;
        uint160 limit;
    }

    SlipstreamFactory private immutable factory;

    constructor(SlipstreamFactory factory_) {
        factory = factory_;
    }

    function quoteExactInputSingle(Single calldata single) external returns (uint256, uint160) {
        return quote(single, int256(single.amount));
    }

    function quoteExactOutputSingle(Single calldata single) external returns (uint256, uint160) {
        return quote(single, -int256(single.amount));
    }

    /// The amount of the other side, and the price afterwards.
    function quote(Single calldata single, int256 amount) private returns (uint256, uint160) {
        address pool = factory.getPool(single.tokenIn, single.tokenOut, single.tickSpacing);
        bool zeroForOne = single.tokenIn < single.tokenOut;
        uint160 limit = single.limit;
        if (limit == 0) {
            limit = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        }
        try SlipstreamPool(pool).swap(address(this), zeroForOne, amount, limit, "") {
            revert("the swap was not reverted");
        } catch (bytes memory answer) {
            if (answer.length != 96) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
            (int256 amount0, int256 amount1, uint160 price) =
                abi.decode(answer, (int256, int256, uint160));
            (int256 paid, int256 taken) = zeroForOne ? (amount0, amount1) : (amount1, amount0);
            if (amount > 0) return (uint256(-taken), price);
            // As QuoterV2: an output that the pool does not have is refused, unless there is a limit.
            if (single.limit == 0) require(taken == amount, "the pool holds less");
            return (uint256(paid), price);
        }
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external view {
        (uint160 price,,,,,) = SlipstreamPool(msg.sender).slot0();
        bytes memory answer = abi.encode(amount0, amount1, price);
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}
