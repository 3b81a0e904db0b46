using System.Buffers.Binary;

namespace CamCube.Shim.Udp.Sealing;

/// <summary>The bytes of a datagram (docs/udp.md): all numbers little-endian. Pure functions; any thread.</summary>
internal static class FrameFormat
{
    /// <summary>Version of the protocol: the upper half of the first byte.</summary>
    public const int Version = 1;

    /// <summary>Bytes in front of a sealed frame: kind, part, two of zero, key id, counter.</summary>
    public const int HeaderLength = 16;

    /// <summary>Bytes behind a sealed frame: what proves that it is whole and whose it is.</summary>
    public const int TagLength = 16;

    /// <summary>What sealing adds to a frame.</summary>
    public const int Overhead = HeaderLength + TagLength;

    /// <summary>Length of every handshake message, so that no answer is longer than its question.</summary>
    public const int HandshakeLength = 72;

    /// <summary>Length of a nonce of a handshake.</summary>
    public const int NonceLength = 16;

    /// <summary>Length of what proves who wrote a handshake message: HMAC-SHA256, whole.</summary>
    public const int ProofLength = 32;

    private const int LinkAt = 1;
    private const int HasKeysAt = 2;
    private const int FingerprintAt = 4;
    private const int InitiatorNonceAt = 8;
    private const int ResponderNonceAt = 24;
    private const int ProofAt = 40;
    private const int PartAt = 1;
    private const int KeyIdAt = 4;
    private const int CounterAt = 8;

    /// <summary>Version in the first byte.</summary>
    public static int VersionOf(ReadOnlySpan<byte> datagram) => datagram[0] >> 4;

    /// <summary>Kind in the first byte; any value.</summary>
    public static FrameKind KindOf(ReadOnlySpan<byte> datagram) => (FrameKind)(datagram[0] & 15);

    /// <summary>Which keys sealed the frame.</summary>
    public static uint KeyIdOf(ReadOnlySpan<byte> datagram) =>
        BinaryPrimitives.ReadUInt32LittleEndian(datagram[KeyIdAt..]);

    /// <summary>The frame's number under its key.</summary>
    public static ulong CounterOf(ReadOnlySpan<byte> datagram) =>
        BinaryPrimitives.ReadUInt64LittleEndian(datagram[CounterAt..]);

    /// <summary>How much of its frame a sealed datagram has.</summary>
    public static FramePart PartOf(ReadOnlySpan<byte> datagram) => (FramePart)datagram[PartAt];

    /// <summary>Writes the header of a sealed frame.</summary>
    public static void WriteHeader(Span<byte> datagram, FramePart part, uint keyId, ulong counter)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(datagram, FirstByte(FrameKind.Sealed) | ((uint)part << 8));
        BinaryPrimitives.WriteUInt32LittleEndian(datagram[KeyIdAt..], keyId);
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[CounterAt..], counter);
    }

    /// <summary>Which of its server's links the writer of a handshake message is.</summary>
    public static byte LinkOf(ReadOnlySpan<byte> datagram) => datagram[LinkAt];

    /// <summary>Whether the writer of a handshake message has keys with this end already.</summary>
    public static bool HasKeys(ReadOnlySpan<byte> datagram) => datagram[HasKeysAt] != 0;

    /// <summary>Tells cluster keys apart without telling what they are.</summary>
    public static uint FingerprintOf(ReadOnlySpan<byte> datagram) =>
        BinaryPrimitives.ReadUInt32LittleEndian(datagram[FingerprintAt..]);

    /// <summary>The nonce of the + end, or zeros.</summary>
    public static ReadOnlySpan<byte> InitiatorNonceOf(ReadOnlySpan<byte> datagram) =>
        datagram.Slice(InitiatorNonceAt, NonceLength);

    /// <summary>The nonce of the − end, or zeros.</summary>
    public static ReadOnlySpan<byte> ResponderNonceOf(ReadOnlySpan<byte> datagram) =>
        datagram.Slice(ResponderNonceAt, NonceLength);

    /// <summary>Everything in a handshake message that is proved.</summary>
    public static ReadOnlySpan<byte> ProvedOf(ReadOnlySpan<byte> datagram) => datagram[..ProofAt];

    /// <summary>The proof itself.</summary>
    public static ReadOnlySpan<byte> ProofOf(ReadOnlySpan<byte> datagram) => datagram.Slice(ProofAt, ProofLength);

    /// <summary>Writes a handshake message with its proof.</summary>
    /// <param name="datagram">At least <see cref="HandshakeLength"/> bytes.</param>
    /// <param name="kind">Which message.</param>
    /// <param name="link">The writer's link.</param>
    /// <param name="hasKeys">Whether the writer has keys already.</param>
    /// <param name="initiatorNonce">Nonce of the + end; empty for zeros.</param>
    /// <param name="responderNonce">Nonce of the − end; empty for zeros.</param>
    /// <param name="key">What proves that the writer has the cluster's key.</param>
    public static void WriteHandshake(
        Span<byte> datagram,
        FrameKind kind,
        Link link,
        bool hasKeys,
        ReadOnlySpan<byte> initiatorNonce,
        ReadOnlySpan<byte> responderNonce,
        ClusterKey key
    )
    {
        datagram[..ProofAt].Clear();
        datagram[0] = FirstByte(kind);
        datagram[LinkAt] = (byte)link;
        datagram[HasKeysAt] = hasKeys ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32LittleEndian(datagram[FingerprintAt..], key.Fingerprint);
        initiatorNonce.CopyTo(datagram[InitiatorNonceAt..]);
        responderNonce.CopyTo(datagram[ResponderNonceAt..]);
        key.Prove(datagram[..ProofAt], datagram.Slice(ProofAt, ProofLength));
    }

    private static byte FirstByte(FrameKind kind) => (byte)((Version << 4) | (int)kind);
}
