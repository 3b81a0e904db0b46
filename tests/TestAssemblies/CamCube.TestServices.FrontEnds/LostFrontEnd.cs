namespace CamCube.TestServices.FrontEnds;

/// <summary>Its service is nowhere.</summary>
[FrontEnd("lost", 0, Service = "nobody")]
public sealed class LostFrontEnd : QuietFrontEnd;
