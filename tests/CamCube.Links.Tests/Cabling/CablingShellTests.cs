namespace CamCube.Cabling.Tests;

/// <summary>What a server keeps for life, in a real folder.</summary>
public sealed class CablingShellTests : IDisposable
{
    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"camcube-cabling-{Guid.NewGuid():N}");

    public void Dispose()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    [Fact]
    public void An_identity_is_drawn_once_and_a_map_is_kept()
    {
        CablingProtocol first = Create(new TorusShape(1, 1, 1));
        string id = first.Report.ServerId;
        first.Run(0, new NetServer(new CablingNet(new TorusShape(1, 1, 1)), 0, default, default));
        first.Run(20_000_000, new NetServer(new CablingNet(new TorusShape(1, 1, 1)), 0, default, default));
        Assert.True(first.TryPlace(out Coordinate place));
        Assert.Equal(default, place);
        first.Close();

        CablingProtocol second = Create(new TorusShape(1, 1, 1));
        Assert.Equal(id, second.Report.ServerId);
        Assert.NotNull(second.Report.MapEpochMillis);
        second.Close();
        Assert.Equal(["lock", "map", "server"], Directory.GetFiles(_folder).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_folder_belongs_to_one_process()
    {
        CablingProtocol first = Create(new TorusShape(3, 3, 3));

        Assert.Equal(
            $"CamCube:StateDirectory = '{_folder}': another process uses the folder; every server needs its own.",
            Refused(new TorusShape(3, 3, 3)));
        first.Close();
        Create(new TorusShape(3, 3, 3)).Close();
    }

    [Fact]
    public void Without_a_folder_a_coordinate_is_needed()
    {
        Assert.StartsWith("CamCube:StateDirectory is needed: ", Assert.Throws<LinkProviderException>(() => CablingProtocol.Create(
            new LinkProviderRequest(null, new TorusShape(3, 3, 3), new Dictionary<string, string>()) { Time = TimeProvider.System },
            new StillPorts())).Message);
        var request = new LinkProviderRequest(new Coordinate(1, 1, 1), new TorusShape(3, 3, 3), new Dictionary<string, string>()) { Time = TimeProvider.System };
        Assert.NotEqual(
            CablingProtocol.Create(request, new StillPorts()).Report.ServerId, CablingProtocol.Create(request, new StillPorts()).Report.ServerId);
    }

    [Theory]
    [InlineData("server", 5)]
    [InlineData("map", 40)]
    [InlineData("map", 0)]
    public void A_damaged_file_is_named_and_left_alone(string name, int at)
    {
        Store();
        string path = Path.Combine(_folder, name);
        string text = File.ReadAllText(path);
        string bent = at == 0 ? text[..(text.Length / 2)] : text[..at] + (text[at] == '1' ? '2' : '1') + text[(at + 1)..];
        File.WriteAllText(path, bent);

        Assert.Equal(
            $"{path} is damaged; bring it back from a copy, or, if this server may become a new one, delete it (docs/cabling.md, state).",
            Refused(new TorusShape(1, 1, 2)));
        Assert.Equal(bent, File.ReadAllText(path));
    }

    [Fact]
    public void Settings_that_contradict_what_is_stored_are_refused()
    {
        Store();
        string map = Path.Combine(_folder, "map");

        Assert.Equal($"CamCube:Shape = '1x1x3', but this server has its place in a cube 1x1x2 for life ({map}).", Refused(new TorusShape(1, 1, 3)));
        Assert.Equal(
            $"CamCube:Shape = '1x1x2 without parallel cables', but this server has its place in a cube 1x1x2 for life ({map}).",
            Refused(new TorusShape(1, 1, 2, parallelCables: false)));
        Assert.Equal(
            $"CamCube:ClusterId = 'other', but this server has its place in the cube 'camcube' for life ({map}).",
            Refused(new TorusShape(1, 1, 2), clusterId: "other"));
        Assert.StartsWith(
            $"CamCube:Coordinate = '0,0,0', but this server has the place 0,0,1 for life ({map}).",
            Refused(new TorusShape(1, 1, 2), coordinate: default(Coordinate)));
        Create(new TorusShape(1, 1, 2), coordinate: new Coordinate(0, 0, 1)).Close();
    }

    [Fact]
    public void The_files_have_the_documented_text()
    {
        Store();

        Assert.Equal("camcube server 1\nid 4f2c9e0102030405\nsum 727f233846eb39ef\n", File.ReadAllText(Path.Combine(_folder, "server")));
        Assert.Equal(
            "camcube map 1\ncluster camcube\nshape 1x1x2\nparallel-cables true\nepoch 1790000000000 00000000000000aa\nmax-frame 9014\n" +
            "server 0,0,0 00000000000000aa\nserver 0,0,1 4f2c9e0102030405\nsum 9d4e5439c22bea98\n",
            File.ReadAllText(Path.Combine(_folder, "map")));
    }

    private void Store()
    {
        var store = new FileCablingStore(_folder);
        var server = new ServerId(0x4f2c_9e01_0203_0405);
        store.Write(StateText.IdentityName, StateText.OfIdentity(server));
        var map = new CablingMap(
            "camcube", new TorusShape(1, 1, 2), new MapEpoch(1_790_000_000_000, new ServerId(0xaa)), 9_014, [new ServerId(0xaa), server]);
        store.Write(StateText.MapName, StateText.OfMap(map));
        CablingMap read = StateText.ReadMap(store.Read(StateText.MapName)!, "map");
        Assert.Equal((map.ClusterId, map.Shape, map.Epoch, map.MaxFrameLength), (read.ClusterId, read.Shape, read.Epoch, read.MaxFrameLength));
        Assert.Equal(map.Servers, read.Servers);
        store.Close();
    }

    private string Refused(TorusShape shape, string clusterId = "camcube", Coordinate? coordinate = null) =>
        Assert.Throws<LinkProviderException>(() => Create(shape, clusterId, coordinate)).Message;

    private CablingProtocol Create(TorusShape shape, string clusterId = "camcube", Coordinate? coordinate = null) => CablingProtocol.Create(
        new LinkProviderRequest(coordinate, shape, new Dictionary<string, string>())
        {
            ClusterId = clusterId,
            StateDirectory = _folder,
            Time = TimeProvider.System,
        },
        new StillPorts(Link.ZPlus, Link.ZMinus));
}
