namespace CamCube.Messaging;

/// <summary>What its opener says of a stream.</summary>
public readonly record struct StreamParameters
{
    /// <summary>Priorities are below this.</summary>
    public const int Priorities = 8;

    /// <summary>A connection weighs at most so much.</summary>
    public const int MostWeight = 1_000;

    /// <summary>The most that <see cref="LeastCredit"/> may be, in bytes.</summary>
    public const int MostLeastCredit = 255 * 4_096;

    private readonly byte _priority;
    private readonly ushort _weightLess1;
    private readonly int _leastCredit;

    /// <summary>The acceptor's to read: what the stream is for.</summary>
    public ulong Label { get; init; }

    /// <summary>The paths of its connection: streams with different ones are of different connections.</summary>
    public StreamPaths Paths { get; init; }

    /// <summary>Streams of different channels have connections of their own, which share links by their weights: a
    /// channel per job.</summary>
    public ushort Channel { get; init; }

    /// <summary>How many bytes the channel's connection gets on a link where another gets one; from 1, the default, to
    /// <see cref="MostWeight"/>. Who opens last says it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Another weight.</exception>
    public int Weight
    {
        get => _weightLess1 + 1;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, nameof(Weight));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, MostWeight, nameof(Weight));
            _weightLess1 = (ushort)(value - 1);
        }
    }

    /// <summary>From 0, which goes first and is the default, to 7: while a stream of a lower one has something to send,
    /// a later one of the same connection waits (NSDI §4.1). Both directions.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Another priority.</exception>
    public int Priority
    {
        get => _priority;
        init
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)value, (uint)Priorities, nameof(Priority));
            _priority = (byte)value;
        }
    }

    /// <summary>Bytes that both sides set apart for this stream alone, in each direction, for as long as it lives: it
    /// goes on whatever others hold. 0, the default: none; rounded up to 4 KiB. The opening is refused where there is
    /// not so much.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0, or more than
    /// <see cref="MostLeastCredit"/>.</exception>
    public int LeastCredit
    {
        get => _leastCredit;
        init
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)value, (uint)MostLeastCredit, nameof(LeastCredit));
            _leastCredit = value;
        }
    }

    /// <summary>Of a stream to a key: it stays with the server that was root when it was opened, whoever is later. Else
    /// it ends with <see cref="StreamEndReason.RootMoved"/>.</summary>
    public bool Pin { get; init; }
}
