using System.Globalization;
using System.Text;

namespace CamCube.Tool.Checks;

/// <summary>What is known at one place on one way through a method.</summary>
internal sealed class FlowState
{
    private readonly SortedDictionary<int, FlowValue> _variables;
    private readonly SortedDictionary<int, PacketFate> _fates;
    private readonly Stack<FlowValue> _stack;

    /// <summary>At the beginning.</summary>
    public FlowState()
        : this([], [], new Stack<FlowValue>(), []) { }

    private FlowState(
        SortedDictionary<int, FlowValue> variables,
        SortedDictionary<int, PacketFate> fates,
        Stack<FlowValue> stack,
        Stack<int> pending
    ) => (_variables, _fates, _stack, Pending) = (variables, fates, stack, pending);

    /// <summary>Where it goes on behind finally blocks.</summary>
    public Stack<int> Pending { get; }

    /// <summary>Packets that are this method's, to be given back: the places that they came from.</summary>
    public IEnumerable<int> Rented => _fates.Where(static fate => fate.Value.IsRented).Select(static fate => fate.Key);

    /// <summary>The same again, for another way.</summary>
    public FlowState Copy() => new(new(_variables), new(_fates), new(_stack.Reverse()), new(Pending.Reverse()));

    /// <summary>Puts a value on the stack.</summary>
    public void Push(FlowValue value) => _stack.Push(value);

    /// <summary>Takes the topmost value; of code that takes too much, an unknown one.</summary>
    public FlowValue Pop() => _stack.TryPop(out FlowValue value) ? value : default;

    /// <summary>Empties the stack.</summary>
    public void Clear() => _stack.Clear();

    /// <summary>What is in a variable; null: nothing was put there yet.</summary>
    public FlowValue? this[int variable]
    {
        get => _variables.TryGetValue(variable, out FlowValue value) ? value : null;
        set => _variables[variable] = value ?? default;
    }

    /// <summary>What became of a packet; null: nothing that is known.</summary>
    public PacketFate? FateOf(int packet) => _fates.TryGetValue(packet, out PacketFate fate) ? fate : null;

    /// <summary>Notes what became of a packet.</summary>
    public void Set(int packet, PacketFate? fate)
    {
        if (fate is { } known)
        {
            _fates[packet] = known;
        }
        else
        {
            _fates.Remove(packet);
        }
    }

    /// <summary>Another packet comes from the same place, as in a loop: of the one before nothing more is known. False:
    /// it was this method's, and nothing has it any more.</summary>
    public bool Renew(int packet, int? target)
    {
        var old = new FlowValue(FlowKind.Packet, packet);
        int[] holders = [.. _variables.Where(v => v.Value == old && v.Key != target).Select(static v => v.Key)];
        bool isLost = FateOf(packet) is { IsRented: true } && holders.Length == 0 && !_stack.Contains(old);
        foreach (int holder in holders)
        {
            _variables[holder] = default;
        }

        if (_stack.Contains(old))
        {
            FlowValue[] all = [.. _stack.Reverse()];
            _stack.Clear();
            foreach (FlowValue value in all)
            {
                _stack.Push(value == old ? default : value);
            }
        }

        Set(packet, null);
        return !isLost;
    }

    /// <summary>Equal for equal states.</summary>
    public string Key()
    {
        var text = new StringBuilder();
        foreach (FlowValue value in _stack)
        {
            text.Append(CultureInfo.InvariantCulture, $"{(int)value.Kind}.{value.Number},");
        }

        text.Append('|').AppendJoin(',', Pending).Append('|');
        foreach ((int variable, FlowValue value) in _variables)
        {
            if (value.Kind != FlowKind.Unknown)
            {
                text.Append(CultureInfo.InvariantCulture, $"{variable}={(int)value.Kind}.{value.Number},");
            }
        }

        text.Append('|');
        foreach ((int packet, PacketFate fate) in _fates)
        {
            text.Append(CultureInfo.InvariantCulture, $"{packet}={fate.IsRented}.{fate.How}.{fate.Offset},");
        }

        return text.ToString();
    }
}
