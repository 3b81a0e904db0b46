using System.Security.Cryptography;
using System.Text;
using CamCube.Linux;

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
        long now = 20_000_000;
        Coordinate place = new(1, 1, 1);
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                {
                    first.Run(
                        now += 5_000_000,
                        new NetServer(new CablingNet(new TorusShape(1, 1, 1)), 0, default, default)
                    );
                    return first.TryPlace(out place);
                },
                30_000
            ),
            first.Report.Waiting
        );
        Assert.Equal(default, place);
        first.Close();

        CablingProtocol second = Create(new TorusShape(1, 1, 1));
        Assert.Equal(id, second.Report.ServerId);
        Assert.NotNull(second.Report.MapEpochMillis);
        second.Close();
        Assert.Equal(
            ["lock", "map", "server"],
            Directory.GetFiles(_folder).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public void A_folder_belongs_to_one_process()
    {
        CablingProtocol first = Create(new TorusShape(3, 3, 3));

        Assert.Equal(
            $"CamCube:StateDirectory = '{_folder}': another process uses the folder; every server needs its own.",
            Refused(new TorusShape(3, 3, 3))
        );
        first.Close();
        Create(new TorusShape(3, 3, 3)).Close();
    }

    [Fact]
    public void Without_a_folder_a_coordinate_is_needed()
    {
        Assert.StartsWith(
            "CamCube:StateDirectory is needed: ",
            Assert
                .Throws<LinkProviderException>(() =>
                    CablingProtocol.Create(
                        new LinkProviderRequest(null, new TorusShape(3, 3, 3), new Dictionary<string, string>())
                        {
                            Time = TimeProvider.System,
                        },
                        new StillPorts()
                    )
                )
                .Message
        );
        var request = new LinkProviderRequest(
            new Coordinate(1, 1, 1),
            new TorusShape(3, 3, 3),
            new Dictionary<string, string>()
        )
        {
            Time = TimeProvider.System,
        };
        Assert.NotEqual(
            CablingProtocol.Create(request, new StillPorts()).Report.ServerId,
            CablingProtocol.Create(request, new StillPorts()).Report.ServerId
        );
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
        string bent =
            at == 0 ? text[..(text.Length / 2)] : text[..at] + (text[at] == '1' ? '2' : '1') + text[(at + 1)..];
        File.WriteAllText(path, bent);

        Assert.Equal(
            $"{path} is damaged; bring it back from a copy, or, if this server may become a new one, "
                + $"delete it (docs/cabling.md, state).",
            Refused(new TorusShape(1, 1, 2))
        );
        Assert.Equal(bent, File.ReadAllText(path));
    }

    [Fact]
    public void A_map_of_a_newer_version_is_named_and_left_alone()
    {
        Store();
        string path = Path.Combine(_folder, "map");
        string newer = File.ReadAllText(path).Replace("camcube map 1", "camcube map 2", StringComparison.Ordinal);
        newer = newer[..newer.LastIndexOf("sum ", StringComparison.Ordinal)];
        newer += $"sum {Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(newer)).AsSpan(0, 8))}\n";
        File.WriteAllText(path, newer);

        Assert.Equal(
            $"{path} begins with 'camcube map 2', and this version reads 'camcube map 1': it was written by another "
                + $"version.",
            Refused(new TorusShape(1, 1, 2))
        );
        Assert.Equal(newer, File.ReadAllText(path));
    }

    [Fact]
    public void Whatever_stands_in_a_file_is_one_line_and_left_alone()
    {
        Store();
        string path = Path.Combine(_folder, "map");
        var random = new Random(1);
        for (int round = 0; round < 200; round++)
        {
            byte[] bytes = new byte[random.Next(2_000)];
            random.NextBytes(bytes);
            File.WriteAllBytes(path, bytes);
            string line = Refused(new TorusShape(1, 1, 2));
            Assert.StartsWith($"{path} is damaged; ", line, StringComparison.Ordinal);
            Assert.DoesNotContain('\n', line);
            Assert.Equal(bytes, File.ReadAllBytes(path));
        }

        // Longer than any map, and nothing but zeros, as after a power failure on some file systems.
        using (FileStream file = File.OpenWrite(path))
        {
            file.SetLength(100_000_000);
        }

        Assert.Equal($"{path} cannot be read (it is too long).", Refused(new TorusShape(1, 1, 2)));
        using (FileStream file = File.OpenWrite(path))
        {
            file.SetLength(0);
            file.SetLength(400);
        }

        Assert.StartsWith($"{path} is damaged; ", Refused(new TorusShape(1, 1, 2)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_that_cannot_be_made_is_named()
    {
        File.WriteAllText(_folder, "a file");
        try
        {
            Assert.Matches(
                "^CamCube:StateDirectory = '.*': the folder cannot be made \\(.*\\)\\.$",
                Assert.Throws<LinkProviderException>(() => new FileCablingStore(Path.Combine(_folder, "below"))).Message
            );
        }
        finally
        {
            File.Delete(_folder);
        }
    }

    [Fact]
    public async Task A_folder_that_vanished_ends_a_write_and_nothing_else()
    {
        var store = new FileCablingStore(_folder);
        await store.WriteAsync("map", "one");
        Assert.Equal("one", store.Read("map"));
        Directory.Delete(_folder, recursive: true);
        Exception e = await Assert.ThrowsAnyAsync<IOException>(() => store.WriteAsync("map", "two"));
        Assert.Equal("the folder is gone", DiskError.Words(e));
        Assert.Null(store.Read("map"));
        store.Close();
    }

    [Fact]
    public void What_disks_refuse_has_words_of_its_own()
    {
        Assert.Equal("the disk is full", DiskError.Words(new IOException("No space left on device : '/x'", 28)));
        Assert.Equal(
            "the disk is full",
            DiskError.Words(new IOException("There is not enough space", unchecked((int)0x8007_0070)))
        );
        Assert.Equal(
            "the file system is read-only",
            DiskError.Words(new IOException("Read-only file system : '/x'", 30))
        );
        Assert.Equal("the disk failed", DiskError.Words(new IOException("Input/output error : '/x'", 5)));
        Assert.Equal(
            "this process has no permission",
            DiskError.Words(new UnauthorizedAccessException("Access to the path '/x' is denied."))
        );
        Assert.Equal("error 116 of the system", DiskError.Words(new IOException("Stale file handle : '/x'", 116)));
    }

    [Fact]
    public void Settings_that_contradict_what_is_stored_are_refused()
    {
        Store();
        string map = Path.Combine(_folder, "map");

        Assert.Equal(
            $"CamCube:Shape = '1x1x3', but this server has its place in a cube 1x1x2 for life ({map}).",
            Refused(new TorusShape(1, 1, 3))
        );
        Assert.Equal(
            $"CamCube:Shape = '1x1x2 without parallel cables', but this server has its place in a cube 1x1x2 for "
                + $"life ({map}).",
            Refused(new TorusShape(1, 1, 2, parallelCables: false))
        );
        Assert.Equal(
            $"CamCube:ClusterId = 'other', but this server has its place in the cube 'camcube' for life ({map}).",
            Refused(new TorusShape(1, 1, 2), clusterId: "other")
        );
        Assert.StartsWith(
            $"CamCube:Coordinate = '0,0,0', but this server has the place 0,0,1 for life ({map}).",
            Refused(new TorusShape(1, 1, 2), coordinate: default(Coordinate))
        );
        Create(new TorusShape(1, 1, 2), coordinate: new Coordinate(0, 0, 1)).Close();
    }

    [Fact]
    public void The_files_have_the_documented_text()
    {
        Store();

        Assert.Equal(
            "camcube server 1\nid 4f2c9e0102030405\nsum 727f233846eb39ef\n",
            File.ReadAllText(Path.Combine(_folder, "server"))
        );
        Assert.Equal(
            "camcube map 1\ncluster camcube\nshape 1x1x2\nparallel-cables true\nepoch 1790000000000 "
                + "00000000000000aa\nmax-frame 9014\n"
                + "server 0,0,0 00000000000000aa\nserver 0,0,1 4f2c9e0102030405\nsum 9d4e5439c22bea98\n",
            File.ReadAllText(Path.Combine(_folder, "map"))
        );
    }

    private void Store()
    {
        var store = new FileCablingStore(_folder);
        var server = new ServerId(0x4f2c_9e01_0203_0405);
        store.Write(StateText.IdentityName, StateText.OfIdentity(server));
        var map = new CablingMap(
            "camcube",
            new TorusShape(1, 1, 2),
            new MapEpoch(1_790_000_000_000, new ServerId(0xaa)),
            9_014,
            [new ServerId(0xaa), server]
        );
        store.Write(StateText.MapName, StateText.OfMap(map));
        CablingMap read = StateText.ReadMap(store.Read(StateText.MapName)!, "map");
        Assert.Equal(
            (map.ClusterId, map.Shape, map.Epoch, map.MaxFrameLength),
            (read.ClusterId, read.Shape, read.Epoch, read.MaxFrameLength)
        );
        Assert.Equal(map.Servers, read.Servers);
        store.Close();
    }

    private string Refused(TorusShape shape, string clusterId = "camcube", Coordinate? coordinate = null) =>
        Assert.Throws<LinkProviderException>(() => Create(shape, clusterId, coordinate)).Message;

    private CablingProtocol Create(TorusShape shape, string clusterId = "camcube", Coordinate? coordinate = null) =>
        CablingProtocol.Create(
            new LinkProviderRequest(coordinate, shape, new Dictionary<string, string>())
            {
                ClusterId = clusterId,
                StateDirectory = _folder,
                Time = TimeProvider.System,
            },
            new StillPorts(Link.ZPlus, Link.ZMinus)
        );
}
