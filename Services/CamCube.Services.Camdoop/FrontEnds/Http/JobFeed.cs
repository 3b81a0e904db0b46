namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>A job, as the feed has it.</summary>
/// <param name="Cube">Servers along each axis, as in <c>3x3x3</c>.</param>
/// <param name="State">How it is doing.</param>
/// <param name="Report">What it has cost; null: there is no report.</param>
internal sealed record JobFeed(string Cube, JobState State, JobReport? Report);
