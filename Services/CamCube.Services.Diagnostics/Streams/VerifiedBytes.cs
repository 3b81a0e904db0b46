using System.Buffers.Binary;
using System.Security.Cryptography;
using CamCube.Messaging;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>One side of a stream whose bytes are compared: a function of their offset, no 8 of them the same as others
/// of the same stream, and SHA-256 over all. The reader answers with its sum. Loop only.</summary>
internal sealed class VerifiedBytes : IDisposable
{
    private const int Word = 8;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _theirs = new byte[SHA256.HashSizeInBytes];
    private int _known;
    private byte[]? _own;

    /// <summary>Whether the peer has said the sum that this side has.</summary>
    public bool IsSame => _known == _theirs.Length && _theirs.AsSpan().SequenceEqual(Sum);

    /// <summary>Over all until now; nothing may be added afterwards.</summary>
    public ReadOnlySpan<byte> Sum => _own ??= _hash.GetHashAndReset();

    /// <summary>Bytes of a stream from an offset on.</summary>
    public static void Fill(Span<byte> into, long offset)
    {
        Span<byte> word = stackalloc byte[Word];
        for (int done = 0; done < into.Length; )
        {
            int within = (int)((offset + done) % Word),
                some = Math.Min(Word - within, into.Length - done);
            ulong number = (ulong)((offset + done) / Word) * 0x9E37_79B9_7F4A_7C15UL;
            BinaryPrimitives.WriteUInt64LittleEndian(word, number ^ (number >> 29));
            word.Slice(within, some).CopyTo(into[done..]);
            done += some;
        }
    }

    /// <summary>Bytes that were written, or read.</summary>
    public void Add(ReadOnlySpan<byte> bytes) => _hash.AppendData(bytes);

    /// <summary>Reads what the peer says of its sum.</summary>
    public void TakeTheirs(ReliableStream stream)
    {
        while (stream.Peek() is { IsEmpty: false } bytes)
        {
            int some = Math.Min(bytes.Length, _theirs.Length - _known);
            bytes[..some].CopyTo(_theirs.AsSpan(_known));
            _known += some;
            stream.Consume(bytes.Length);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _hash.Dispose();
}
