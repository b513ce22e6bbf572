// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;

/// A tokenized stock: ERC-20 with 18 decimals and the display multiplier of ERC-8056.
/// Balances never change with the multiplier; it only says how many shares one token stands for.
/// Runs behind StockProxy, so all state is set by `initialize` and never by a constructor.
contract StockToken {
    uint8 public constant decimals = 18;

    string public name;
    string public symbol;
    bytes32 public uid;
    bool public oraclePaused;

    /// A change takes effect silently when the clock passes this time; it stays set afterwards.
    uint256 public effectiveAt;
    uint256 private multiplierBefore;
    uint256 private multiplierAfter;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event UIMultiplierUpdated(uint256 oldMultiplier, uint256 newMultiplier, uint256 effectiveAt);

    function initialize(bytes32 uid_, string calldata name_, string calldata symbol_) external {
        require(multiplierAfter == 0, "already initialized");
        (uid, name, symbol) = (uid_, name_, symbol_);
        (multiplierBefore, multiplierAfter) = (1e18, 1e18);
    }

    /// Shares per token now, 1e18 = one.
    function uiMultiplier() public view returns (uint256) {
        return block.timestamp >= effectiveAt ? multiplierAfter : multiplierBefore;
    }

    /// The multiplier announced last, in force or not.
    function newUIMultiplier() external view returns (uint256) {
        return multiplierAfter;
    }

    function balanceOfUI(address owner) external view returns (uint256) {
        return (balanceOf[owner] * uiMultiplier()) / 1e18;
    }

    function totalSupplyUI() external view returns (uint256) {
        return (totalSupply * uiMultiplier()) / 1e18;
    }

    function announceMultiplier(uint256 multiplier, uint256 effectiveAt_) external {
        multiplierBefore = uiMultiplier();
        (multiplierAfter, effectiveAt) = (multiplier, effectiveAt_);
        emit UIMultiplierUpdated(multiplierBefore, multiplier, effectiveAt_);
    }

    function setOraclePaused(bool paused) external {
        oraclePaused = paused;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
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
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
