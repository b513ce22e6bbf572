// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

import {
    AlgebraPool,
    ModifyLiquidityParams,
    PoolKey,
    SwapParams,
    Token,
    V3Pool,
    V4Manager,
    V4StateView
} from "./Uniswap.sol";

/// Executes every trade and owns every position of the sandbox, on v3 and v4.
/// It reads pool prices itself, so that callers need no chain state, and pays from its own
/// practically unlimited balance. Anyone can call it; sandbox tokens are worthless.
contract TradeRouter {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    /// Where a trade may push the price: not beyond `limit`, and not at all if it is there already.
    struct Trade {
        bool zeroForOne;
        int256 amount; // v4 sign: negative = exact input, positive = exact output
        uint160 limit;
        address recipient;
    }

    /// A trade towards a price, whatever side of it the pool is on.
    struct Aim {
        uint160 target;
        uint256 toleranceBps; // of the square root of the price
        uint256 amount0Max;
        uint256 amount1Max;
        address recipient;
    }

    uint256 private constant BPS = 10_000;

    V4Manager private immutable manager;
    V4StateView private immutable stateView;

    event CallFailed(uint256 index, bytes reason);

    constructor(V4Manager manager_, V4StateView stateView_) {
        (manager, stateView) = (manager_, stateView_);
    }

    receive() external payable {}

    /// Runs calls in order; a failing call is logged and does not revert the others.
    function execute(Call[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory reason) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            if (!ok) emit CallFailed(i, reason);
        }
    }

    // ---- v3

    function tradeV3(V3Pool pool, Trade memory trade) public {
        if (!hasRoom(priceV3(pool), trade)) return;
        pool.swap(trade.recipient, trade.zeroForOne, -trade.amount, trade.limit, "");
    }

    function aimV3(V3Pool pool, Aim calldata aim) external {
        uint160 price = priceV3(pool);
        if (!isNear(price, aim)) tradeV3(pool, tradeTowards(price, aim));
    }

    function addV3(V3Pool pool, int24 lower, int24 upper, uint128 liquidity)
        external
        returns (uint256 amount0, uint256 amount1)
    {
        if (!isAlgebra(pool)) return pool.mint(address(this), lower, upper, liquidity, "");
        (amount0, amount1,) =
            AlgebraPool(address(pool)).mint(address(this), address(this), lower, upper, liquidity, "");
    }

    /// Removes a share of a position and collects all of its fees.
    function trimV3(V3Pool pool, int24 lower, int24 upper, uint256 bps)
        external
        returns (uint256 amount0, uint256 amount1)
    {
        bool packed = isAlgebra(pool);
        // Algebra packs the owner and both ticks instead of hashing them.
        bytes memory position = abi.encodePacked(address(this), lower, upper);
        (uint128 liquidity,,,,) =
            pool.positions(packed ? bytes32(bytes.concat(bytes6(0), position)) : keccak256(position));
        uint128 share = uint128((liquidity * bps) / BPS);
        (amount0, amount1) = packed
            ? AlgebraPool(address(pool)).burn(lower, upper, share, "")
            : pool.burn(lower, upper, share);
        pool.collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        paySwap(amount0, amount1);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        paySwap(amount0, amount1);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        paySwap(amount0, amount1);
    }

    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        payMint(amount0, amount1);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        payMint(amount0, amount1);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        payMint(amount0, amount1);
    }

    function paySwap(int256 amount0, int256 amount1) private {
        if (amount0 > 0) pay(V3Pool(msg.sender).token0(), msg.sender, uint256(amount0));
        if (amount1 > 0) pay(V3Pool(msg.sender).token1(), msg.sender, uint256(amount1));
    }

    function payMint(uint256 amount0, uint256 amount1) private {
        if (amount0 > 0) pay(V3Pool(msg.sender).token0(), msg.sender, amount0);
        if (amount1 > 0) pay(V3Pool(msg.sender).token1(), msg.sender, amount1);
    }

    // ---- v4

    function tradeV4(PoolKey calldata key, Trade memory trade) public {
        if (!hasRoom(priceV4(key), trade)) return;
        manager.unlock(abi.encode(true, abi.encode(key, trade)));
    }

    function aimV4(PoolKey calldata key, Aim calldata aim) external {
        uint160 price = priceV4(key);
        if (!isNear(price, aim)) tradeV4(key, tradeTowards(price, aim));
    }

    /// Amounts as the PoolManager states them: negative = paid in, positive = taken out, fees included.
    function changeV4(PoolKey calldata key, ModifyLiquidityParams memory change)
        public
        returns (int128 amount0, int128 amount1)
    {
        bytes memory result = manager.unlock(abi.encode(false, abi.encode(key, change)));
        return abi.decode(result, (int128, int128));
    }

    function trimV4(PoolKey calldata key, int24 lower, int24 upper, bytes32 salt, uint256 bps)
        external
        returns (int128 amount0, int128 amount1)
    {
        bytes32 position = keccak256(abi.encodePacked(address(this), lower, upper, salt));
        uint128 liquidity = stateView.getPositionLiquidity(keccak256(abi.encode(key)), position);
        int256 delta = -int256((uint256(liquidity) * bps) / BPS);
        return changeV4(key, ModifyLiquidityParams(lower, upper, delta, salt));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (bool isTrade, bytes memory inner) = abi.decode(data, (bool, bytes));
        return isTrade ? settleTrade(inner) : settleChange(inner);
    }

    function settleTrade(bytes memory data) private returns (bytes memory) {
        (PoolKey memory key, Trade memory trade) = abi.decode(data, (PoolKey, Trade));
        SwapParams memory params = SwapParams(trade.zeroForOne, trade.amount, trade.limit);
        return settle(key, manager.swap(key, params, ""), trade.recipient);
    }

    function settleChange(bytes memory data) private returns (bytes memory) {
        (PoolKey memory key, ModifyLiquidityParams memory change) =
            abi.decode(data, (PoolKey, ModifyLiquidityParams));
        (int256 delta,) = manager.modifyLiquidity(key, change, "");
        return settle(key, delta, address(this));
    }

    /// `delta` packs two int128: amount0 in the upper half, amount1 in the lower.
    function settle(PoolKey memory key, int256 delta, address recipient) private returns (bytes memory) {
        (int128 amount0, int128 amount1) = (int128(delta >> 128), int128(delta));
        settleSide(key.currency0, amount0, recipient);
        settleSide(key.currency1, amount1, recipient);
        return abi.encode(amount0, amount1);
    }

    function settleSide(address currency, int128 amount, address recipient) private {
        if (amount > 0) manager.take(currency, recipient, uint128(amount));
        if (amount >= 0) return;
        if (currency == address(0)) {
            manager.settle{value: uint128(-amount)}();
        } else {
            manager.sync(currency);
            pay(currency, address(manager), uint128(-amount));
            manager.settle();
        }
    }

    // ---- both

    function priceV3(V3Pool pool) private view returns (uint160 price) {
        if (isAlgebra(pool)) (price,,,,,) = AlgebraPool(address(pool)).globalState();
        else (price,) = pool.slot0();
    }

    /// Algebra's pools have no slot0.
    function isAlgebra(V3Pool pool) private view returns (bool) {
        (bool ok,) = address(pool).staticcall(abi.encodeCall(V3Pool.slot0, ()));
        return !ok;
    }

    function priceV4(PoolKey calldata key) private view returns (uint160 price) {
        (price,,,) = stateView.getSlot0(keccak256(abi.encode(key)));
    }

    function hasRoom(uint160 price, Trade memory trade) private pure returns (bool) {
        return price != 0 && (trade.zeroForOne ? price > trade.limit : price < trade.limit);
    }

    function isNear(uint160 price, Aim calldata aim) private pure returns (bool) {
        uint256 gap = price > aim.target ? price - aim.target : aim.target - price;
        return gap * BPS <= uint256(aim.target) * aim.toleranceBps;
    }

    function tradeTowards(uint160 price, Aim calldata aim) private pure returns (Trade memory) {
        bool zeroForOne = price > aim.target;
        uint256 amount = zeroForOne ? aim.amount0Max : aim.amount1Max;
        return Trade(zeroForOne, -int256(amount), aim.target, aim.recipient);
    }

    function pay(address token, address to, uint256 amount) private {
        require(Token(token).transfer(to, amount), "transfer refused");
    }
}
