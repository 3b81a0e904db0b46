namespace CamCube.Services.Camdoop.Plans;

/// <summary>What came as JSON, and may say what cannot be where JSON allows it.</summary>
internal interface IChecked
{
    /// <summary>Whether all of it can be.</summary>
    bool IsSound { get; }
}
