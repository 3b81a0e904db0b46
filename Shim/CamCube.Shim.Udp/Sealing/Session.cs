using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CamCube.Shim.Udp.Sealing;

/// <summary>
/// The keys between two nonces, one per direction, with their counters. A counter is never used twice: keys live only
/// as long as this object, and both nonces of it are fresh. Not thread-safe.
/// </summary>
internal sealed class Session : IDisposable
{
    /// <summary>Length of a key: AES-256.</summary>
    private const int KeyLength = 32;

    private const int GcmNonceLength = 12;
    private readonly byte[] _nonces = new byte[2 * FrameFormat.NonceLength];
    private readonly AesGcm _send;
    private readonly AesGcm _receive;
    private readonly ReplayWindow _window = new();

    /// <summary>The session of two nonces.</summary>
    /// <param name="key">The cluster's key.</param>
    /// <param name="isInitiator">Which end this is.</param>
    /// <param name="initiatorNonce">Nonce of the + end; copied.</param>
    /// <param name="responderNonce">Nonce of the − end; copied.</param>
    /// <param name="now">Server time.</param>
    public Session(
        ClusterKey key,
        bool isInitiator,
        ReadOnlySpan<byte> initiatorNonce,
        ReadOnlySpan<byte> responderNonce,
        long now
    )
    {
        initiatorNonce.CopyTo(_nonces);
        responderNonce.CopyTo(_nonces.AsSpan(FrameFormat.NonceLength));
        BornNanos = now;

        // Key and id from the + end to the − end, then the other direction's.
        const int Direction = KeyLength + sizeof(uint);
        Span<byte> derived = stackalloc byte[2 * Direction];
        key.DeriveSession(initiatorNonce, responderNonce, derived);
        Span<byte> forward = derived[..Direction],
            back = derived[Direction..];
        Span<byte> send = isInitiator ? forward : back,
            receive = isInitiator ? back : forward;
        _send = new AesGcm(send[..KeyLength], FrameFormat.TagLength);
        _receive = new AesGcm(receive[..KeyLength], FrameFormat.TagLength);
        SendId = BinaryPrimitives.ReadUInt32LittleEndian(send[KeyLength..]);
        ReceiveId = BinaryPrimitives.ReadUInt32LittleEndian(receive[KeyLength..]);
        CryptographicOperations.ZeroMemory(derived);
    }

    /// <summary>When it was made, server time.</summary>
    public long BornNanos { get; }

    /// <summary>Names the key of frames that are sent.</summary>
    public uint SendId { get; }

    /// <summary>Names the key of frames that arrive.</summary>
    public uint ReceiveId { get; }

    /// <summary>How many frames were sealed: the next one's counter.</summary>
    public ulong Sealed { get; private set; }

    /// <summary>Whether it is the session of these nonces.</summary>
    public bool IsOf(ReadOnlySpan<byte> initiatorNonce, ReadOnlySpan<byte> responderNonce) =>
        initiatorNonce.SequenceEqual(_nonces.AsSpan(0, FrameFormat.NonceLength))
        && responderNonce.SequenceEqual(_nonces.AsSpan(FrameFormat.NonceLength));

    /// <summary>Encrypts a frame in place.</summary>
    /// <param name="datagram">Room for the header, the frame, room for the tag.</param>
    /// <param name="length">The frame's length.</param>
    /// <param name="part">How much of the frame it is.</param>
    /// <returns>The datagram's length.</returns>
    public int Seal(Span<byte> datagram, int length, FramePart part)
    {
        ulong counter = Sealed++;
        FrameFormat.WriteHeader(datagram, part, SendId, counter);
        Span<byte> nonce = stackalloc byte[GcmNonceLength];
        WriteNonce(nonce, counter);
        Span<byte> frame = datagram.Slice(FrameFormat.HeaderLength, length);
        Span<byte> tag = datagram.Slice(FrameFormat.HeaderLength + length, FrameFormat.TagLength);
        _send.Encrypt(nonce, frame, frame, tag, datagram[..FrameFormat.HeaderLength]);
        return length + FrameFormat.Overhead;
    }

    /// <summary>Decrypts a frame in place, once: it stands between header and tag afterwards. False: it is not genuine,
    /// or was taken before.
    /// </summary>
    /// <param name="datagram">At least <see cref="FrameFormat.Overhead"/> bytes. Without meaning if the answer is
    /// false.</param>
    public bool TryOpen(Span<byte> datagram)
    {
        ulong counter = FrameFormat.CounterOf(datagram);
        if (!_window.IsNew(counter))
        {
            return false;
        }

        Span<byte> nonce = stackalloc byte[GcmNonceLength];
        WriteNonce(nonce, counter);
        Span<byte> frame = datagram[FrameFormat.HeaderLength..^FrameFormat.TagLength];
        try
        {
            _receive.Decrypt(
                nonce,
                frame,
                datagram[^FrameFormat.TagLength..],
                frame,
                datagram[..FrameFormat.HeaderLength]
            );
        }
        catch (AuthenticationTagMismatchException)
        {
            // The library has no other way to say so. Only who sees the key id on the network gets this far.
            return false;
        }

        _window.Take(counter);
        return true;
    }

    /// <summary>Forgets the keys.</summary>
    public void Dispose()
    {
        _send.Dispose();
        _receive.Dispose();
    }

    private static void WriteNonce(Span<byte> nonce, ulong counter)
    {
        nonce.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(nonce[4..], counter);
    }
}
