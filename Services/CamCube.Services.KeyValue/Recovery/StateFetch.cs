using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>A state that this server needs.</summary>
/// <param name="member">Of which group.</param>
/// <param name="epoch">The epoch that it is in; begun with it, unless this server is in it already.</param>
/// <param name="index">The index at which that begins.</param>
/// <param name="sources">Who may have it, the likeliest first.</param>
internal sealed class StateFetch(Member member, GroupEpoch epoch, ulong index, List<Coordinate> sources)
{
    /// <summary>Before all times: a clock may be negative.</summary>
    public const long Never = long.MinValue / 2;

    public Member Member => member;

    public GroupEpoch Epoch => epoch;

    public ulong Index => index;

    /// <summary>Who is asked now.</summary>
    public Coordinate Source => sources[At % sources.Count];

    public int At { get; private set; }

    public ulong Session { get; set; }

    public uint Cursor { get; set; }

    /// <summary>When it was asked last.</summary>
    public long AskedNanos { get; set; } = Never;

    public int Tries { get; set; }

    /// <summary>Changes that came, whose pieces are fetched first.</summary>
    public List<(LogRecord Change, Operation Operation)> Lacking { get; } = [];

    /// <summary>Values in a row whose pieces nobody had.</summary>
    public int Failures { get; set; }

    /// <summary>The end of the state, which came before some pieces.</summary>
    public (StateChunk Head, byte[] Behind)? End { get; set; }

    /// <summary>Whether the pieces of a value are fetched for it.</summary>
    public bool Lacks(PieceId id) => Lacking.Exists(l => l.Operation.Pieces!.Id == id);

    /// <summary>Who may have pieces: not the same one first for all values.</summary>
    /// <param name="id">The value.</param>
    public IEnumerable<Coordinate> SourcesOf(PieceId id)
    {
        int first = (int)(id.Low % (ulong)sources.Count);
        return [.. sources[first..], .. sources[..first]];
    }

    /// <summary>All of them were asked, and none had it.</summary>
    public bool IsHopeless => At >= 2 * sources.Count;

    /// <summary>Goes to the next source, and begins anew.</summary>
    public void Turn(ulong session)
    {
        At++;
        (Session, Cursor, AskedNanos, Tries) = (session, 0, Never, 0);
        (End, Failures) = (null, 0);
        Lacking.Clear();
    }
}
