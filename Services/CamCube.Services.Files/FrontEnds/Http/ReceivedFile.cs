using CamCube.FrontEnds.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>A file on its way from a client, piece by piece.</summary>
/// <param name="Path">Its path.</param>
/// <param name="Creation">How it is made.</param>
/// <param name="Body">Where from.</param>
internal sealed record ReceivedFile(string Path, FileCreation Creation, RequestBody Body)
{
    private volatile bool _isBegun;

    /// <summary>Whether its name was asked for: what ended without an answer then is unknown.</summary>
    public bool IsBegun => _isBegun;

    /// <summary>Stores it. Loop only.</summary>
    public async ValueTask<FileAnswer> WriteAsync(IFiles files)
    {
        using IFileWriter writer = files.OpenWrite(Path, Creation);
        BodyPiece piece;
        do
        {
            piece = await Body.ReadAsync();
            foreach (ReadOnlyMemory<byte> part in piece.Bytes)
            {
                FileStatus status = await writer.WriteAsync(part);
                if (status != FileStatus.Done)
                {
                    return new FileAnswer(status);
                }
            }
        } while (piece.End == BodyEnd.More);

        if (piece.End == BodyEnd.Broken)
        {
            // Whoever sent it is answered so, or gone.
            return new FileAnswer(FileStatus.Unavailable);
        }

        _isBegun = true;
        return await writer.CommitAsync();
    }
}
