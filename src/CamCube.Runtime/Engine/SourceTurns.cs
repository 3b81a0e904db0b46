using System.Numerics;

namespace CamCube.Runtime.Engine;

/// <summary>
/// How a service's default queue and its sources share a link within the service's turns: start-time fair queueing.
/// Each place owes for the bytes it sent last, in proportion to its weight; of those that have something, the one that
/// owes least is next, and what it still owed is then forgiven to all. So equals take turns packet by packet, nobody
/// saves up while it has nothing, and nothing has to be peeked. Made with a service's first source: services without
/// any have none of it.
/// </summary>
internal sealed class SourceTurns
{
    /// <summary>The place of the default queue; sources follow in the order in which they were added.</summary>
    public const int QueuePlace = 0;

    private const int Places = ServerOptions.MaxSources + 1;

    // So fine that dividing it by a weight loses nothing that counts.
    private const int ByteAtWeightOne = 1 << 20;
    private readonly SourceTurn[] _turns = new SourceTurn[ServerOptions.MaxSources];
    private readonly long[] _pricePerByte = new long[Places];
    private readonly long[] _debts = new long[Links.Cables * Places];

    /// <summary>A queue without sources.</summary>
    public SourceTurns() => _pricePerByte[QueuePlace] = ByteAtWeightOne;

    /// <summary>How many sources there are.</summary>
    public int Count { get; private set; }

    /// <summary>The source of a place behind the queue's.</summary>
    public SourceTurn this[int place] => _turns[place - 1];

    /// <summary>Adds a source. There must be room.</summary>
    public void Add(SourceTurn turn)
    {
        _turns[Count++] = turn;
        _pricePerByte[Count] = ByteAtWeightOne / turn.Weight;
    }

    /// <summary>Links for which any source declared something.</summary>
    public int AnyReady()
    {
        int links = 0;
        for (int i = 0; i < Count; i++)
        {
            links |= _turns[i].ReadyBits;
        }

        return links;
    }

    /// <summary>Places of the sources that declared something for a link, a bit each.</summary>
    public int ReadyFor(int link)
    {
        int places = 0;
        for (int i = 0; i < Count; i++)
        {
            places |= (_turns[i].ReadyBits >> link & 1) << (i + 1);
        }

        return places;
    }

    /// <summary>Whose turn it is on a cable, of these places; at least one.</summary>
    public int Next(int link, int places)
    {
        ReadOnlySpan<long> debts = _debts.AsSpan(link * Places, Places);
        int least = BitOperations.TrailingZeroCount(places);
        for (int rest = places & (places - 1); rest != 0; rest &= rest - 1)
        {
            int place = BitOperations.TrailingZeroCount(rest);
            least = debts[place] < debts[least] ? place : least;
        }

        return least;
    }

    /// <summary>A place had its turn and sent so much.</summary>
    public void Charge(int link, int place, int bytes)
    {
        Span<long> debts = _debts.AsSpan(link * Places, Places);
        long owed = debts[place];
        foreach (ref long debt in debts)
        {
            debt = Math.Max(0, debt - owed);
        }

        debts[place] = bytes * _pricePerByte[place];
    }
}
