namespace CamCube.SystemTests.Cables;

[Collection(CablesGroup.Name)]
public sealed class UdpCubeTests(UdpCubeTests.UdpBed bed, ITestOutputHelper output)
    : CubeOfCables(bed, output),
        IClassFixture<UdpCubeTests.UdpBed>
{
    public sealed class UdpBed() : Bed("udp");
}
