using System.Buffers;
using System.IO.Pipelines;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The body of a request as a service reads it in its server's loop, one reader at a time. A client that goes away is a
/// result (<see cref="BodyEnd.Broken"/>) and no exception: what a service throws in a call is its own fault.
/// </summary>
public sealed class RequestBody
{
    private readonly PipeReader _pipe;
    private ReadOnlySequence<byte> _lent;
    private bool _isLent;
    private volatile bool _isBroken;

    internal RequestBody(PipeReader pipe, long? length) => (_pipe, Length) = (pipe, length);

    /// <summary>Bytes that the client has announced; null: it has not.</summary>
    public long? Length { get; }

    /// <summary>The next piece; at least one byte, or the end. The piece before is given back.</summary>
    public async ValueTask<BodyPiece> ReadAsync()
    {
        GiveBack();

        // A task, because the pipe's own awaitable forgets the loop if it completes while it is being awaited: the
        // service would go on beside its loop.
        ValueTask<ReadResult> next = _pipe.ReadAsync();
        ReadResult read = next.IsCompletedSuccessfully ? next.Result : await next.AsTask();
        (_lent, _isLent) = (read.Buffer, true);
        BodyEnd end =
            !read.IsCompleted ? BodyEnd.More
            : _isBroken ? BodyEnd.Broken
            : BodyEnd.Complete;
        return new BodyPiece(read.Buffer, end);
    }

    /// <summary>All of it, for short ones.</summary>
    /// <param name="most">Most bytes.</param>
    /// <returns>Null: it is longer, or not whole.</returns>
    public async ValueTask<byte[]?> ReadAllAsync(int most)
    {
        var all = new ArrayBufferWriter<byte>();
        while (true)
        {
            BodyPiece piece = await ReadAsync();
            if (all.WrittenCount + piece.Bytes.Length > most || piece.End == BodyEnd.Broken)
            {
                return null;
            }

            foreach (ReadOnlyMemory<byte> part in piece.Bytes)
            {
                all.Write(part.Span);
            }

            if (piece.End == BodyEnd.Complete)
            {
                return all.WrittenSpan.ToArray();
            }
        }
    }

    /// <summary>It will not be whole. Before the writer completes.</summary>
    internal void Break() => _isBroken = true;

    /// <summary>Nobody reads any more.</summary>
    internal ValueTask EndAsync()
    {
        GiveBack();
        return _pipe.CompleteAsync();
    }

    private void GiveBack()
    {
        if (_isLent)
        {
            _isLent = false;
            _pipe.AdvanceTo(_lent.End);
        }
    }
}
