namespace CamCube.Tool.Tests.Wireshark;

/// <summary>A service without a header.</summary>
[CamCubeService(0x7f41, "bare")]
internal sealed class BareService : CamCubeService;
