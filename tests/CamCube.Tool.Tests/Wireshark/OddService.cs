namespace CamCube.Tool.Tests.Wireshark;

/// <summary>A service whose name is that of fields of camcube.lua.</summary>
[CamCubeService(0x7f40, "stream", Header = typeof(OddHeader))]
internal sealed class OddService : CamCubeService;
