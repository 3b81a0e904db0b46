using CamCube.Calls;

namespace CamCube.Services.Images.Storing;

/// <summary>What the key-value store has of a name.</summary>
/// <param name="Status">Done: there is an image; NotFound: there is none; DataAway, Unavailable.</param>
/// <param name="Version">Of what is there, an image or a deletion; 0: nothing.</param>
/// <param name="Length">Bytes of the image.</param>
/// <param name="Metadata">What is kept beside it.</param>
internal readonly record struct Found(ImageStatus Status, ulong Version, long Length, ReadOnlyMemory<byte> Metadata)
{
    /// <summary>The image; null: there is none.</summary>
    public ImageRecord? Record => Status == ImageStatus.Done ? ImageRecord.Read(Metadata.Span) : null;

    /// <summary>The version for those who see images only; 0: there is none.</summary>
    public ulong ImageVersion => Status == ImageStatus.Done ? Version : 0;

    /// <summary>Whether the store could say it.</summary>
    public bool IsKnown => Status is ImageStatus.Done or ImageStatus.NotFound;

    /// <summary>What is told of it.</summary>
    public ImageAnswer ToAnswer() => Record?.ToAnswer(Version, Length) ?? new ImageAnswer(Status);

    /// <summary>Whether what is there is a request's deletion.</summary>
    public bool IsDeletionBy(in RequestId request) =>
        Status == ImageStatus.NotFound && ImageRecord.IsDeletionBy(Metadata.Span, request);
}
