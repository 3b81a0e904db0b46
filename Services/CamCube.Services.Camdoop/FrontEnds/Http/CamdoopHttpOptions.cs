using CamCube.FrontEnds.Http;

namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>Settings of MapReduce's HTTP front end (<c>CamCube:FrontEnds:camdoop</c>): those that all front ends over
/// HTTP have.</summary>
public sealed class CamdoopHttpOptions : HttpFrontEndOptions;
