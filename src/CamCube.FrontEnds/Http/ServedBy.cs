namespace CamCube.FrontEnds.Http;

/// <summary>On a connection: the front end whose port it came to.</summary>
internal sealed record ServedBy(HttpFrontEnd FrontEnd);
