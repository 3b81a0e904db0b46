using System.Collections.Concurrent;

namespace CamCube.Topology;

/// <summary>What the views of one shape share: neighbours and planned cables by rank. Immutable; any thread.</summary>
internal sealed class TorusPlan
{
    private static readonly ConcurrentDictionary<TorusShape, TorusPlan> Cache = new();
    private readonly ushort[] _neighbours;
    private readonly byte[] _cabled;
    private readonly byte[] _wholeBits;

    private TorusPlan(TorusShape shape)
    {
        Shape = shape;
        Routes = TorusRoutes.For(shape);
        Sequences = ReplicaSequences.For(shape);
        _neighbours = new ushort[shape.Count * Links.Cables];
        _cabled = new byte[shape.Count];
        _wholeBits = new byte[shape.Count];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate server = shape.At(rank);
            _cabled[rank] = shape.CabledLinks(server).Bits;
            _wholeBits[rank] = (byte)(_cabled[rank] | CubeEntry.KeysBit);
            for (int link = 0; link < Links.Cables; link++)
            {
                _neighbours[(rank * Links.Cables) + link] = (ushort)shape.RankOf(shape.Step(server, (Link)link));
            }
        }

        Whole = new LiveGraph(this, _cabled);
    }

    public TorusShape Shape { get; }

    public TorusRoutes Routes { get; }

    public ReplicaSequences Sequences { get; }

    /// <summary>All planned cables work.</summary>
    public LiveGraph Whole { get; }

    /// <summary>Links with a cable, by rank.</summary>
    public ReadOnlySpan<byte> Cabled => _cabled;

    /// <summary>What each server says when all is well, by rank.</summary>
    public ReadOnlySpan<byte> WholeBits => _wholeBits;

    public static TorusPlan For(TorusShape shape) =>
        Cache.TryGetValue(shape, out TorusPlan? found) ? found : Cache.GetOrAdd(shape, static s => new TorusPlan(s));

    /// <summary>Digest of a view without entries.</summary>
    public ulong SeedOf(bool isCommissioned)
    {
        ulong sizes = ((ulong)Shape.X << 40) | ((ulong)Shape.Y << 20) | (uint)Shape.Z;
        return CubeEntry.Mix((sizes << 2) | (Shape.ParallelCables ? 2UL : 0) | (isCommissioned ? 1UL : 0));
    }

    /// <summary>The graph of these live links, by rank.</summary>
    public LiveGraph GraphOf(byte[] live) => live.AsSpan().SequenceEqual(_cabled) ? Whole : new LiveGraph(this, live);

    public int Neighbour(int rank, int link) => _neighbours[(rank * Links.Cables) + link];

    /// <summary>The links of a server that both ends report as up.</summary>
    public byte LiveLinks(ReadOnlySpan<byte> bits, int rank)
    {
        int live = 0;
        foreach (Link link in new LinkSet((byte)(bits[rank] & _cabled[rank])))
        {
            live |= (bits[Neighbour(rank, (int)link)] >> (int)link.Opposite() & 1) << (int)link;
        }

        return (byte)live;
    }
}
