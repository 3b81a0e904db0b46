using CamCube.Host;
using CamCube.Hosting;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Switch;
using CamCube.Shim.Udp;

return await HostProgram.RunAsync(
    new HostSetup
    {
        Arguments = args,
        Cubes = [new SimulatorCubeFactory(TimeProvider.System)],
        LinkProviders = [new EthernetProvider(), new UdpProvider(), new SwitchProvider()],
    }
);
