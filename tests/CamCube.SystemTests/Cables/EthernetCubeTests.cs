namespace CamCube.SystemTests.Cables;

[Collection(CablesGroup.Name)]
public sealed class EthernetCubeTests(EthernetCubeTests.EthernetBed bed, ITestOutputHelper output)
    : CubeOfCables(bed, output),
        IClassFixture<EthernetCubeTests.EthernetBed>
{
    public sealed class EthernetBed() : Bed("ethernet");
}
