using CamCube.Host;
using CamCube.Hosting;
using CamCube.Shim.Ethernet;

return await HostProgram.RunAsync(new HostSetup
{
    Arguments = args,
    Cubes = [new SimulatorCubeFactory(TimeProvider.System)],
    LinkProviders = [new EthernetProvider()],
});
