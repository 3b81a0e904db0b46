using System.Net;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>A long value that is sent as its pieces are read from lines. If they are not there, the request breaks off,
/// and nothing is changed.</summary>
/// <param name="lines">The lines, in front of the first piece.</param>
/// <param name="length">Bytes of the value.</param>
/// <param name="moving">Is told how far it is.</param>
internal sealed class PiecesContent(LineReader lines, long length, MovingBytes moving) : HttpContent
{
    /// <summary>What is wrong with the lines; null: nothing.</summary>
    public string? Wrong { get; private set; }

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override async Task SerializeToStreamAsync(
        Stream stream,
        TransportContext? context,
        CancellationToken cancellationToken
    )
    {
        for (long left = length; left > 0; )
        {
            ReadOnlyMemory<byte>? line = await lines.ReadAsync(cancellationToken);
            byte[]? piece = line is { } read ? PieceIn(read) : null;
            if (piece is null || piece.Length == 0 || piece.Length > left)
            {
                Wrong = $"line {lines.Number}: of a value of {length:N0} bytes {left:N0} are not there.";
                throw new IOException(Wrong);
            }

            left -= piece.Length;
            await moving.CopyAsync(new MemoryStream(piece), stream, cancellationToken);
        }
    }

    // What is wrong with a line is said by who reads it next.
    private byte[]? PieceIn(ReadOnlyMemory<byte> line)
    {
        try
        {
            return ExportLine.Read(line, lines.Number).Piece;
        }
        catch (ToolException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long bytes)
    {
        bytes = length;
        return true;
    }
}
