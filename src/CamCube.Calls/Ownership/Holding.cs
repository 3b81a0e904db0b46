namespace CamCube.Calls;

/// <summary>
/// One unbroken time during which this server is root of one class of keys: all keys of its own home, or those of
/// another home and one of the 48 sequences. What it holds was stored in that time.
/// </summary>
/// <typeparam name="THeld">What is held.</typeparam>
public sealed class Holding<THeld>
    where THeld : class
{
    internal Holding(Coordinate home, int sequence, long readyNanos, long changesNanos, THeld held)
    {
        (Home, Sequence, ReadyNanos, ChangesNanos, Held) = (home, sequence, readyNanos, changesNanos, held);
    }

    /// <summary>The keys' home server.</summary>
    public Coordinate Home { get; }

    /// <summary>The keys' replica sequence; not used for this server's own home, where all sequences begin.</summary>
    public int Sequence { get; }

    /// <summary>From when on this server answers for these keys.</summary>
    public long ReadyNanos { get; }

    /// <summary>From when on this server changes something: until then what an earlier root gave may still be
    /// served.</summary>
    public long ChangesNanos { get; }

    /// <summary>What it holds.</summary>
    public THeld Held { get; internal set; }
}
