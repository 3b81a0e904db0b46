using CamCube.FrontEnds.Settings;

namespace EchoSample;

/// <summary>What its user may set: limits, addresses, TLS.</summary>
public sealed class EchoOptions : ConnectionOptions;
