using System.Buffers;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// The body of a request as a service reads it in its server's loop, one reader at a time, until its call has ended. A
/// client that goes away is a result (<see cref="BodyEnd.Broken"/>) and no exception: what a service throws in a call
/// is its own fault.
/// </summary>
public sealed class RequestBody
{
    private readonly BodyWindow _window;
    private readonly BodyWait<BodyPiece> _wait;

    internal RequestBody(BodyWindow window, long? length)
    {
        (_window, Length) = (window, length);
        _wait = new BodyWait<BodyPiece>(window.Take);
    }

    /// <summary>Bytes that the client has announced; null: it has not.</summary>
    public long? Length { get; }

    /// <summary>Why it is not whole, once a piece has said <see cref="BodyEnd.Broken"/>.</summary>
    public BodyFault Fault => _window.Fault;

    /// <summary>The next piece; at least one byte, or the end. The piece before is given back. Waiting for it allocates
    /// nothing.</summary>
    /// <exception cref="InvalidOperationException">The read before has not ended.</exception>
    public ValueTask<BodyPiece> ReadAsync() =>
        _window.HasBytes(_wait) ? new ValueTask<BodyPiece>(_window.Take()) : _wait.Task;

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
}
