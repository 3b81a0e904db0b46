namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>All jobs, as the feed has them.</summary>
/// <param name="Cube">Servers along each axis, as in <c>3x3x3</c>.</param>
/// <param name="Jobs">The jobs, newest first.</param>
internal sealed record JobsFeed(string Cube, IReadOnlyList<JobState> Jobs);
