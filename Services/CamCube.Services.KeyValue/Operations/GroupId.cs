using CamCube.Topology;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Names a group: the keys of a table with the same home and the same of the 48 replica sequences. Table 4
/// bits, rank of the home 22, sequence 6.</summary>
/// <param name="Number">All of it.</param>
internal readonly record struct GroupId(uint Number)
{
    public const int MostTables = 16;
    private const int SequenceBits = 6;
    private const int RankBits = 22;

    public int Table => (int)(Number >> (SequenceBits + RankBits));

    /// <summary>Rank of the home.</summary>
    public int Home => (int)(Number >> SequenceBits & ((1 << RankBits) - 1));

    public int Sequence => (int)(Number & ((1 << SequenceBits) - 1));

    public static GroupId Of(int table, int home, int sequence) =>
        new(((uint)table << (SequenceBits + RankBits)) | ((uint)home << SequenceBits) | (uint)sequence);

    /// <summary>Those of a table.</summary>
    public static IEnumerable<GroupId> AllOf(int table, TorusShape shape) =>
        from home in Enumerable.Range(0, shape.Count)
        from sequence in Enumerable.Range(0, ReplicaSequences.Count)
        select Of(table, home, sequence);

    /// <summary>The group of a store's key.</summary>
    public static GroupId Of(int table, ReadOnlySpan<byte> key, TorusShape shape) =>
        Of(table, KeyRoute.Of(table, key), shape);

    /// <summary>The group of a key.</summary>
    public static GroupId Of(int table, Key key, TorusShape shape) =>
        Of(table, shape.RankOf(key.HomeIn(shape)), ReplicaSequences.IndexOf(key.Route));

    /// <summary>A key that goes where the group's keys go, for what is asked of all of them.</summary>
    public Key KeyIn(TorusShape shape) => new Key((ulong)Sequence, 0, 0).WithCoordinate(shape.At(Home));

    /// <summary>Whether there is such a group.</summary>
    public bool IsIn(TorusShape shape) => Home < shape.Count && Sequence < ReplicaSequences.Count;

    /// <summary>The servers that should have it, in order: by the plan of the cube, whoever lives.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="most">How many at most.</param>
    public Coordinate[] Planned(TorusShape shape, int most)
    {
        ReplicaSequences sequences = ReplicaSequences.For(shape);
        ReadOnlySpan<ushort> offsets = sequences.Offsets(Sequence);
        Coordinate home = shape.At(Home);
        var planned = new Coordinate[Math.Min(most, offsets.Length)];
        for (int i = 0; i < planned.Length; i++)
        {
            planned[i] = sequences.ServerAt(home, offsets[i]);
        }

        return planned;
    }
}
