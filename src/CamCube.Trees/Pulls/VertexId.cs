using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees;

/// <summary>One vertex of a job: a place in one of its trees. A key, so that another server takes its part while its
/// own is away (NSDI §4.1); the six vertices of one server have different stand-ins.</summary>
/// <param name="Job">The job.</param>
/// <param name="Attempt">Which attempt at it: what one attempt sends never meets another's.</param>
/// <param name="Part">A part of the job with trees of its own: a reduce, an operation.</param>
/// <param name="Tree">The tree, by number in the job's <see cref="TreePlan"/>.</param>
/// <param name="At">The server whose vertex it is.</param>
public readonly record struct VertexId(ulong Job, uint Attempt, uint Part, byte Tree, Coordinate At)
{
    /// <summary>Bytes of it in a request.</summary>
    internal const int Length = 23;

    // Of all but the place, so that a job's vertices differ in nothing else.
    private const int HashedBytes = 13;

    /// <summary>The key of the vertex: its root plays it.</summary>
    public Key ToKey()
    {
        Span<byte> hashed = stackalloc byte[HashedBytes];
        WriteUInt64LittleEndian(hashed, Job);
        WriteUInt32LittleEndian(hashed[8..], Part);
        hashed[12] = Tree;
        return Key.OfBytes(hashed).WithCoordinate(At);
    }

    internal void Write(Span<byte> to)
    {
        WriteUInt64LittleEndian(to, Job);
        WriteUInt32LittleEndian(to[8..], Attempt);
        WriteUInt32LittleEndian(to[12..], Part);
        to[16] = Tree;
        WriteUInt16LittleEndian(to[17..], At.X);
        WriteUInt16LittleEndian(to[19..], At.Y);
        WriteUInt16LittleEndian(to[21..], At.Z);
    }

    internal static VertexId Read(ReadOnlySpan<byte> from) =>
        new(
            ReadUInt64LittleEndian(from),
            ReadUInt32LittleEndian(from[8..]),
            ReadUInt32LittleEndian(from[12..]),
            from[16],
            new Coordinate(
                ReadUInt16LittleEndian(from[17..]),
                ReadUInt16LittleEndian(from[19..]),
                ReadUInt16LittleEndian(from[21..])
            )
        );
}
