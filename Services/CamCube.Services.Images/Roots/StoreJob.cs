using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Images.Storing;
using CamCube.Services.Images.Wire;

namespace CamCube.Services.Images.Roots;

/// <summary>A picture that is being stored, at the server of its name.</summary>
internal sealed class StoreJob(StoreRequest request, ImagePlace place, ReadOnlyMemory<byte> picture)
{
    public RequestId Id => request.Id;

    public StoreRequest Request => request;

    public ImagePlace Place => place;

    /// <summary>The picture: its asker's, or <see cref="Owned"/>.</summary>
    public ReadOnlyMemory<byte> Picture => picture;

    /// <summary>The message that brought it.</summary>
    public OwnedBytes Owned { get; init; }

    /// <summary>Who is told how it ended; question 0: nobody else than the caller.</summary>
    public (Coordinate Server, ulong Question) Asker { get; set; }

    /// <summary>When it began.</summary>
    public long BeganNanos { get; init; }

    /// <summary>Bytes that were claimed for it; null: none.</summary>
    public IMemoryClaim? Claim { get; init; }
}
