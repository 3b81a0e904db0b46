namespace CamCube.Services.Images;

/// <summary>Mistakes that tests plant, to see that their checkers find them.</summary>
internal enum ImagesMistake
{
    None,

    /// <summary>Variants are cached without the version of their image.</summary>
    ForgetsVersions,

    /// <summary>It answers before the key-value store has acknowledged.</summary>
    AnswersEarly,
}
