namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// Whether the path to a neighbour carries the longest datagrams: says when to ask and what follows from the answers.
/// Each question is a pair of sealed datagrams, a short one and one of full size; what routers say of sizes is not
/// believed, because anybody can say it. A step machine: it reads no clock and sends nothing itself. Loop only.
/// </summary>
/// <param name="nanos">Time between questions while nothing changes. While a path seems to become narrow it is a
/// fifth.</param>
/// <remarks>
/// A pair of which neither was answered says nothing of sizes: the cable is cut, or the neighbour stands still. A cable
/// that loses 20 % each way is taken for a narrow one about once a week, and until the next question.
/// </remarks>
internal sealed class PathProbe(long nanos)
{
    /// <summary>Pairs in a row of which the short datagram alone was answered, before the path counts as
    /// narrow.</summary>
    public const int MostMissed = 10;

    private const ulong RememberedPairs = 64;
    private ulong _pair;
    private int _missed;
    private bool _shortCame;
    private bool _fullCame = true;

    /// <summary>Whether the path carries the longest datagrams; so it is believed until the answers say
    /// otherwise.</summary>
    public bool IsWide { get; private set; } = true;

    /// <summary>When <see cref="Begin"/> is wanted, server time.</summary>
    public long Deadline { get; private set; }

    /// <summary>Looks at what became of the last pair and begins the next.</summary>
    /// <param name="now">Server time.</param>
    /// <returns>What the short datagram says; the one of full size says one more.</returns>
    public ulong Begin(long now)
    {
        if (!_fullCame && _shortCame && ++_missed >= MostMissed)
        {
            IsWide = false;
        }

        _pair++;
        (_shortCame, _fullCame) = (false, false);
        Deadline = now + (IsWide && _missed > 0 ? nanos / 5 : nanos);
        return _pair << 1;
    }

    /// <summary>The neighbour has said what a datagram of a pair said. Numbers that nobody asked for, or long ago,
    /// change nothing.</summary>
    public void Answered(ulong number)
    {
        ulong age = _pair - (number >> 1);
        if (age > RememberedPairs)
        {
            return;
        }

        if ((number & 1) != 0)
        {
            (_fullCame, _missed, IsWide) = (true, 0, true);
        }
        else
        {
            _shortCame |= age == 0;
        }
    }
}
