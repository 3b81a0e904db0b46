using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace CamCube.Shim.Switch.Format;

/// <summary>
/// What both ends of a connection say first (docs/switch.md): 64 bytes, little-endian. Pure functions; any thread.
/// </summary>
/// <param name="From">Who speaks.</param>
/// <param name="To">Whom it takes the other end for.</param>
internal readonly record struct Greeting(Coordinate From, Coordinate To)
{
    /// <summary>Its bytes, always.</summary>
    public const int Length = 64;

    private const uint Magic = 0x5753_4343; // CCSW
    private const byte Version = 1;
    private const int VersionAt = 4;
    private const int FrameAt = 6;
    private const int ShapeAt = 8;
    private const int FromAt = 16;
    private const int ToAt = 24;
    private const int ClusterAt = 32;

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> bytes, LinkProviderRequest cube, int maxFrameLength)
    {
        bytes[..Length].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, Magic);
        bytes[VersionAt] = Version;
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[FrameAt..], (ushort)maxFrameLength);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[ShapeAt..], WordOf(cube.Shape));
        Write(bytes[FromAt..], From);
        Write(bytes[ToAt..], To);
        SHA256.HashData(Encoding.UTF8.GetBytes(cube.ClusterId), bytes[ClusterAt..]);
    }

    /// <summary>Reads one.</summary>
    /// <param name="bytes">As many as one has.</param>
    /// <param name="cube">What the reader belongs to.</param>
    /// <param name="maxFrameLength">The reader's.</param>
    /// <param name="greeting">Who speaks, if the answer is None; both servers are in the cube then.</param>
    public static GreetingFault TryRead(
        ReadOnlySpan<byte> bytes,
        LinkProviderRequest cube,
        int maxFrameLength,
        out Greeting greeting
    )
    {
        greeting = default;
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes) != Magic)
        {
            return GreetingFault.Foreign;
        }

        if (bytes[VersionAt] != Version)
        {
            return GreetingFault.OtherVersion;
        }

        Span<byte> cluster = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(cube.ClusterId), cluster);
        if (!bytes[ClusterAt..Length].SequenceEqual(cluster))
        {
            return GreetingFault.OtherCluster;
        }

        if (BinaryPrimitives.ReadUInt64LittleEndian(bytes[ShapeAt..]) != WordOf(cube.Shape))
        {
            return GreetingFault.OtherShape;
        }

        if (BinaryPrimitives.ReadUInt16LittleEndian(bytes[FrameAt..]) != maxFrameLength)
        {
            return GreetingFault.OtherFrameLength;
        }

        greeting = new Greeting(Read(bytes[FromAt..]), Read(bytes[ToAt..]));
        return cube.Shape.Contains(greeting.From) && cube.Shape.Contains(greeting.To)
            ? GreetingFault.None
            : GreetingFault.WrongServer;
    }

    private static ulong WordOf(TorusShape shape) =>
        new Coordinate((ushort)shape.X, (ushort)shape.Y, (ushort)shape.Z).Packed | (shape.ParallelCables ? 1u : 0u);

    private static void Write(Span<byte> bytes, Coordinate server) =>
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, server.Packed);

    private static Coordinate Read(ReadOnlySpan<byte> bytes) =>
        Coordinate.Unpack(BinaryPrimitives.ReadUInt64LittleEndian(bytes));
}
