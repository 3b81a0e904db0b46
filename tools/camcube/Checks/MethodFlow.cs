using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace CamCube.Tool.Checks;

/// <summary>
/// Follows the ways through one method, each for itself, and what it knows on them: CC0003 and CC0004, and which
/// methods are given to other threads. A way ends where the method does, where it throws, and where an await waits:
/// what comes behind that await is followed as if it had not waited. What it says nothing of: catch blocks, iterators'
/// variables, packets in fields, closures and collections, and methods with too many ways. One thread.
/// </summary>
internal sealed class MethodFlow
{
    private const string Gate = "CamCube.IServerGate";
    private const int MostSteps = 100_000;
    private readonly MetadataReader _reader;
    private readonly UsedNames _names;
    private readonly IReadOnlyList<Instruction> _il;
    private readonly ImmutableArray<ExceptionRegion> _regions;
    private readonly OffLoopParameters _offLoop;
    private readonly MethodVariables _variables;
    private readonly Dictionary<int, int> _indexOf = [];
    private readonly HashSet<int> _targets = [];
    private readonly HashSet<(int, string)> _seen = [];
    private readonly Stack<(int Index, FlowState State)> _open = new();
    private readonly SortedDictionary<int, PacketFinding> _findings = [];
    private readonly HashSet<MethodDefinitionHandle> _givenAway = [];
    private readonly HashSet<MethodDefinitionHandle> _givenBack = [];
    private FlowState _state = new();

    public MethodFlow(
        MetadataReader reader,
        UsedNames names,
        MethodDefinition method,
        MethodBodyBlock body,
        IReadOnlyList<Instruction> il,
        OffLoopParameters offLoop
    )
    {
        (_reader, _names, _il, _regions, _offLoop) = (reader, names, il, body.ExceptionRegions, offLoop);
        _variables = new MethodVariables(reader, method, body);
        for (int i = 0; i < il.Count; i++)
        {
            _indexOf[il[i].Offset] = i;
            _targets.UnionWith(il[i].Targets);
            if (IsBranch(il[i].Code))
            {
                _targets.Add(il[i].Operand);
            }
        }
    }

    /// <summary>Whether a method that uses this member is worth following.</summary>
    public static bool Matters(UsedName used) =>
        PacketCalls.Matters(used) || used.Type == Gate || MemberList.OtherThreads.Has(used.Type, used.Name);

    /// <summary>What is wrong with its packets, in the order of the instructions.</summary>
    public IEnumerable<PacketFinding> Findings => _findings.Values;

    /// <summary>Methods of the assembly that it gives to other threads.</summary>
    public IReadOnlySet<MethodDefinitionHandle> GivenAway => _givenAway;

    /// <summary>Methods of the assembly that it gives to a server's loop, through the gate.</summary>
    public IReadOnlySet<MethodDefinitionHandle> GivenBack => _givenBack;

    /// <summary>Goes all ways.</summary>
    public void Run()
    {
        int steps = 0;
        _open.Push((0, new FlowState()));
        while (_open.TryPop(out (int Index, FlowState State) next))
        {
            int? index = next.Index;
            _state = next.State;
            while (index is { } at && at < _il.Count)
            {
                if (++steps > MostSteps)
                {
                    _findings.Clear();
                    return;
                }

                bool isKnown = _targets.Contains(_il[at].Offset) && !_seen.Add((at, _state.Key()));
                index = isKnown ? null : Step(at);
            }
        }
    }

    // Answers which instruction comes next; null: this way ends.
    private int? Step(int index)
    {
        Instruction one = _il[index];
        switch (one.Code)
        {
            case ILOpCode.Br or ILOpCode.Br_s:
                return IndexOf(one.Operand);
            case ILOpCode.Brtrue or ILOpCode.Brtrue_s:
                return Branch(one, IsTrue(_state.Pop()));
            case ILOpCode.Brfalse or ILOpCode.Brfalse_s:
                return Branch(one, !IsTrue(_state.Pop()));
            case ILOpCode.Leave or ILOpCode.Leave_s:
                return Leave(one);
            case ILOpCode.Endfinally:
                return _state.Pending.TryPop(out int onward) ? IndexOf(onward) : null;
            case ILOpCode.Ret:
                Return(one);
                return null;
            case ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Endfilter or ILOpCode.Jmp:
                return null;
            case ILOpCode.Switch:
                return Switch(one);
            case ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj or ILOpCode.Calli:
                return Call(one) ? index + 1 : null;
            default:
                break;
        }

        if (IsBranch(one.Code))
        {
            FlowValue right = _state.Pop(),
                left = _state.Pop();
            return Branch(one, Comparison.Of(one.Code, left, right, IsRented));
        }

        Plain(one);
        return index + 1;
    }

    private static bool IsBranch(ILOpCode code) =>
        code is >= ILOpCode.Br_s and <= ILOpCode.Blt_un or ILOpCode.Leave or ILOpCode.Leave_s
        && code != ILOpCode.Switch;

    private int IndexOf(int offset) =>
        _indexOf.TryGetValue(offset, out int index)
            ? index
            : throw new BadImageFormatException($"No instruction at IL_{offset:x4}.");

    private bool IsRented(int packet) => _state.FateOf(packet) is { IsRented: true };

    private bool? IsTrue(FlowValue value) => value.IsTrue(IsRented);

    private int Branch(Instruction one, bool? isTaken)
    {
        if (isTaken is null)
        {
            _open.Push((IndexOf(one.Operand), _state.Copy()));
        }

        return IndexOf(isTaken is true ? one.Operand : one.Next);
    }

    private int Switch(Instruction one)
    {
        FlowValue value = _state.Pop();
        if (value.Kind == FlowKind.Number)
        {
            bool isIn = value.Number >= 0 && value.Number < one.Targets.Length;
            return IndexOf(isIn ? one.Targets[value.Number] : one.Next);
        }

        foreach (int target in one.Targets)
        {
            _open.Push((IndexOf(target), _state.Copy()));
        }

        return IndexOf(one.Next);
    }

    // Through the finally blocks that it leaves, from the innermost.
    private int Leave(Instruction one)
    {
        _state.Clear();
        _state.Pending.Push(one.Operand);
        foreach (
            ExceptionRegion region in _regions
                .Where(region => region.Kind == ExceptionRegionKind.Finally)
                .Where(region => IsIn(one.Offset, region) && !IsIn(one.Operand, region))
                .OrderByDescending(static region => region.TryLength)
        )
        {
            _state.Pending.Push(region.HandlerOffset);
        }

        return IndexOf(_state.Pending.Pop());
    }

    private static bool IsIn(int offset, ExceptionRegion region) =>
        offset >= region.TryOffset && offset < region.TryOffset + region.TryLength;

    private void Return(Instruction one)
    {
        if (_variables.HasResult)
        {
            GiveOn(_state.Pop(), one);
        }

        foreach (int packet in _state.Rented)
        {
            Lost(packet);
        }
    }

    // False: this way ends.
    private bool Call(Instruction one)
    {
        if (one.Code == ILOpCode.Calli)
        {
            _state.Pop();
        }

        CalledMethod method = CalledMethod.Of(_reader, _names, one.Operand);
        var arguments = new FlowValue[method.Parameters];
        for (int i = arguments.Length - 1; i >= 0; i--)
        {
            arguments[i] = _state.Pop();
        }

        FlowValue owner = method.HasThis && one.Code != ILOpCode.Newobj ? _state.Pop() : default;
        string type = method.Named?.Type ?? "",
            name = method.Named?.Name ?? "";
        if (name is "AwaitUnsafeOnCompleted" or "AwaitOnCompleted" && _variables.IsAsync)
        {
            return false;
        }

        string? how = PacketCalls.HowGone(type, name);
        bool isRent = PacketCalls.IsRent(type, name) && arguments is [_, { Kind: FlowKind.Address }];
        bool isRead = PacketCalls.Reads(type);
        Use(owner, one);
        if (!PacketCalls.IsPacket(type))
        {
            GiveOn(owner, one);
        }

        foreach (FlowValue argument in arguments)
        {
            Use(argument, one);
            if (how is not null && argument.Kind == FlowKind.Packet)
            {
                _state.Set(argument.Number, new PacketFate(false, how, one.Offset));
            }
            else if (!isRead)
            {
                GiveOn(argument, one);
            }

            if (argument.Kind == FlowKind.Address && !isRent)
            {
                Refill(argument.Number, one);
            }
        }

        NoteDelegates(method, type, name, arguments);
        if (isRent)
        {
            Rent(arguments[1].Number, one);
        }
        else if (method.HasResult || one.Code == ILOpCode.Newobj)
        {
            bool isDelegate = one.Code == ILOpCode.Newobj && arguments is [_, { Kind: FlowKind.Function }];
            _state.Push(isDelegate ? new FlowValue(FlowKind.Delegate, arguments[1].Number) : default);
        }

        return true;
    }

    private void NoteDelegates(CalledMethod method, string type, string name, FlowValue[] arguments)
    {
        bool isOther = MemberList.OtherThreads.Has(type, name);
        for (int i = 0; i < arguments.Length; i++)
        {
            HashSet<MethodDefinitionHandle>? into =
                isOther || _offLoop.Has(method.Own, i) ? _givenAway
                : type == Gate ? _givenBack
                : null;
            if (arguments[i].Kind == FlowKind.Delegate)
            {
                into?.Add((MethodDefinitionHandle)MetadataTokens.EntityHandle(arguments[i].Number));
            }
        }
    }

    // Two ways: there is one, or there is none.
    private void Rent(int variable, Instruction one)
    {
        FlowState none = _state.Copy();
        none[variable] = new FlowValue(FlowKind.Null);
        none.Push(new FlowValue(FlowKind.Number, 0));
        _open.Push((IndexOf(one.Next), none));
        _state[variable] = default;
        Fresh(one.Offset, variable);
        _state[variable] = new FlowValue(FlowKind.Packet, one.Offset);
        _state.Set(one.Offset, PacketFate.Rented);
        _state.Push(new FlowValue(FlowKind.Number, 1));
    }

    // Somebody else has its address, and may put another one there.
    private void Refill(int variable, Instruction one)
    {
        if (_state[variable] is { Kind: FlowKind.Packet } packet && _state.FateOf(packet.Number) is { IsRented: true })
        {
            _state.Set(packet.Number, null);
        }

        _state[variable] = default;
        if (_variables.IsOfPackets(variable))
        {
            Fresh(one.Offset, variable);
            _state[variable] = new FlowValue(FlowKind.Packet, one.Offset);
        }
    }

    private void Plain(Instruction one)
    {
        if (FlowCode.VariableOf(one) is { } variable)
        {
            Variable(one, variable);
            return;
        }

        switch (one.Code)
        {
            case ILOpCode.Nop or ILOpCode.Break or ILOpCode.Castclass or ILOpCode.Isinst:
            case ILOpCode.Constrained or ILOpCode.Volatile or ILOpCode.Readonly or ILOpCode.Tail or ILOpCode.Unaligned:
                break;
            case >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4:
                _state.Push(new FlowValue(FlowKind.Number, FlowCode.NumberOf(one)));
                break;
            case ILOpCode.Ldnull:
                _state.Push(new FlowValue(FlowKind.Null));
                break;
            case ILOpCode.Dup:
                FlowValue top = _state.Pop();
                _state.Push(top);
                _state.Push(top);
                break;
            case ILOpCode.Pop:
                _state.Pop();
                break;
            case ILOpCode.Ceq or ILOpCode.Cgt or ILOpCode.Cgt_un or ILOpCode.Clt or ILOpCode.Clt_un:
                FlowValue right = _state.Pop(),
                    left = _state.Pop();
                _state.Push(
                    Comparison.Of(one.Code, left, right, IsRented) is { } is1
                        ? new FlowValue(FlowKind.Number, is1 ? 1 : 0)
                        : default
                );
                break;
            case ILOpCode.Ldfld or ILOpCode.Ldflda or ILOpCode.Stfld:
                Field(one);
                break;
            case ILOpCode.Ldftn:
                MethodDefinitionHandle own = CalledMethod.Of(_reader, _names, one.Operand).Own;
                _state.Push(own.IsNil ? default : new FlowValue(FlowKind.Function, MetadataTokens.GetToken(own)));
                break;
            case ILOpCode.Initobj:
                if (_state.Pop() is { Kind: FlowKind.Address } cleared)
                {
                    Store(cleared.Number, new FlowValue(FlowKind.Null), one);
                }

                break;
            case ILOpCode.Ldind_ref or ILOpCode.Ldobj:
                FlowValue from = _state.Pop();
                _state.Push(from.Kind == FlowKind.Address ? Load(from.Number) : default);
                break;
            default:
                (int taken, int left1) = IlReader.StackOf(one.Code);
                for (int i = 0; i < taken; i++)
                {
                    GiveOn(_state.Pop(), one);
                }

                for (int i = 0; i < left1; i++)
                {
                    _state.Push(default);
                }

                break;
        }
    }

    // Of a state machine they are variables.
    private void Field(Instruction one)
    {
        FlowValue? stored = one.Code == ILOpCode.Stfld ? _state.Pop() : null;
        bool isVariable = _state.Pop().Kind == FlowKind.This && _variables.IsKept(one.Operand);
        if (stored is not { } value)
        {
            _state.Push(
                !isVariable ? default
                : _variables.IsProgress(one.Operand) ? new FlowValue(FlowKind.Number, -1)
                : one.Code == ILOpCode.Ldflda ? new FlowValue(FlowKind.Address, one.Operand)
                : Load(one.Operand)
            );
        }
        else if (isVariable)
        {
            Store(one.Operand, value, one);
        }
        else
        {
            GiveOn(value, one);
        }
    }

    private void Variable(Instruction one, int variable)
    {
        switch (FlowCode.UseOf(one.Code))
        {
            case VariableUse.Load:
                _state.Push(Load(variable));
                break;
            case VariableUse.Store:
                Store(variable, _state.Pop(), one);
                break;
            default:
                _state.Push(new FlowValue(FlowKind.Address, variable));
                break;
        }
    }

    private FlowValue Load(int variable) => _state[variable] ?? _variables.FirstOf(variable);

    private void Store(int variable, FlowValue value, Instruction one)
    {
        bool isPacket = _variables.IsOfPackets(variable),
            isUnknownPacket = isPacket && value.Kind == FlowKind.Unknown,
            isKept = value.Kind is not (FlowKind.Number or FlowKind.Unknown) || _variables.IsOfNumbers(variable);
        if (isUnknownPacket)
        {
            Fresh(one.Offset, variable);
            value = new FlowValue(FlowKind.Packet, one.Offset);
        }

        _state[variable] = isKept || isUnknownPacket ? value : default;
    }

    private void Fresh(int packet, int target)
    {
        if (!_state.Renew(packet, target))
        {
            Lost(packet);
        }
    }

    private void Lost(int packet) => _findings.TryAdd(packet, new PacketFinding(packet, null));

    private void Use(FlowValue value, Instruction one)
    {
        if (value.Kind == FlowKind.Packet && _state.FateOf(value.Number) is { How: not null } fate)
        {
            _findings.TryAdd(one.Offset, new PacketFinding(one.Offset, fate));
        }
    }

    // It is somebody else's as well, or kept.
    private void GiveOn(FlowValue value, Instruction one)
    {
        Use(value, one);
        if (value.Kind == FlowKind.Packet && IsRented(value.Number))
        {
            _state.Set(value.Number, null);
        }
    }
}
