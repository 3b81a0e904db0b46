using System.Net;

namespace CamCube.Tool.Hosts;

/// <summary>A long value that is sent as it is read.</summary>
/// <param name="source">Where from; disposed of with this.</param>
/// <param name="moving">Is told how far it is.</param>
internal sealed class MovingContent(Stream source, MovingBytes moving) : HttpContent
{
    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(
        Stream stream,
        TransportContext? context,
        CancellationToken cancellationToken
    ) => moving.CopyAsync(source, stream, cancellationToken);

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = source.CanSeek ? source.Length : 0;
        return source.CanSeek;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            source.Dispose();
        }

        base.Dispose(disposing);
    }
}
