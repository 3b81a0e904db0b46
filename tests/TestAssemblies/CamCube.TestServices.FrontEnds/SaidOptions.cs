namespace CamCube.TestServices.FrontEnds;

/// <summary>Options of the front end said.</summary>
public sealed class SaidOptions
{
    /// <summary>What it asks. Default "word".</summary>
    public string Word { get; set; } = "word";
}
