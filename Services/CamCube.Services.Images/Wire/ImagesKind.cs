namespace CamCube.Services.Images.Wire;

/// <summary>What a message of the service is.</summary>
internal enum ImagesKind : byte
{
    None = 0,

    /// <summary>To the server of a name: store this picture. <see cref="StoreRequest"/>, then the picture.</summary>
    Store = 1,

    /// <summary>What became of it? <see cref="StoreRequest"/> without the picture.</summary>
    Poll = 2,

    /// <summary>A variant, please: one byte with its number in the settings, then the name.</summary>
    Fetch = 3,

    /// <summary>The end of it: <see cref="AnswerFormat"/>.</summary>
    Answer = 4,

    /// <summary>It is still being done.</summary>
    Working = 5,

    /// <summary>Nothing is known of it: send the picture.</summary>
    Resend = 6,
}
