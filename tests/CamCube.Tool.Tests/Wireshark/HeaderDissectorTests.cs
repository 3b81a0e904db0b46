using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using CamCube.Tool.Checks;
using CamCube.Tool.Output;
using CamCube.Tool.Tests.Commands;

namespace CamCube.Tool.Tests.Wireshark;

/// <summary>Header fields of a service as Lua, and what tshark shows of a packet with them.</summary>
public sealed class HeaderDissectorTests
{
    // Kind 7, last, Red and Blue, Bad, Inner, 1 2 3, raw, 1.5, 2,1,0, pairs, words -2, _words 5, Auto 2^63.
    private const string Odd =
        "07 01 0180 ff 78563412 00 03 0100 0200 0300 deadbeef 0000c03f 0200 0100 0000 01ff 02fe feff "
        + "0500000000000000 0000000000000080";

    [Fact]
    public void Fields_lie_where_the_runtime_puts_them()
    {
        ServiceHeader header = Own().Single(service => service.Id == 0x7f40);
        Assert.Equal(("stream", typeof(OddHeader).FullName), (header.Name, header.Type));
        Assert.Equal(Unsafe.SizeOf<OddHeader>(), header.Size);
        Assert.Equal(
            [
                "kind 0+1",
                "is_last 1+1",
                "colours 2+2",
                "feels 4+1",
                "inside.http_code2 5+4",
                "inside.upper 7+2",
                "inside.link 10+1",
                "three 11+2*3",
                "raw 17+4",
                "warmth 21+4",
                "home 25+6",
                "pairs.0.a 31+1",
                "pairs.0.b 32+1",
                "pairs.1.a 33+1",
                "pairs.1.b 34+1",
                "words 35+2",
                "words_2 37+8",
                "auto 45+8",
            ],
            header.Fields.Select(f => $"{f.Name} {f.Offset}+{f.Size}{(f.Count > 1 ? $"*{f.Count}" : "")}")
        );
    }

    [Theory]
    [InlineData(typeof(string), "is no struct of unmanaged fields")]
    [InlineData(typeof(KeyValuePair<int, string>), "is no struct of unmanaged fields")]
    [InlineData(typeof(Nullable<>), "is no struct of unmanaged fields")]
    [InlineData(typeof(TooLong), "has 65 bytes; 64 is the most of a header.")]
    [InlineData(typeof(WithPointer), "At is a System.Int32*, which depends on the machine and cannot be shown.")]
    [InlineData(typeof(WithNative), "At is a System.IntPtr, which depends on the machine and cannot be shown.")]
    public void What_cannot_be_shown_is_said(Type type, string says) =>
        Assert.Contains(
            says,
            Assert.Throws<BadAssemblyException>(() => StructLayout.Of(type, "the header of x")).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("WordsLength", "words_length")]
    [InlineData("HTTPCode2", "http_code2")]
    [InlineData("already_so", "already_so")]
    [InlineData("A", "a")]
    [InlineData("Größe", "gru00f6u00dfe")]
    public void Names_become_those_of_filters(string name, string filter) => Assert.Equal(filter, FilterNames.Of(name));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Tshark_shows_each_field_by_name(bool isBefore)
    {
        string[] names =
        [
            .. Own().Single(service => service.Id == 0x7f40).Fields.Select(f => $"camcube.stream.own.{f.Name}"),
        ];
        string[] seen = (await TsharkAsync(Odd, isBefore, [.. names.SelectMany(name => (string[])["-e", name])])).Split(
            ';'
        );
        Assert.Equal(
            [
                "7",
                "1",
                "0x8001",
                "-1",
                "305419896",
                "4660",
                "3",
                "1,2,3",
                "deadbeef",
                "1.5",
                "2,1,0",
                "1",
                "-1",
                "2",
                "-2",
                "-2",
                "5",
                "9223372036854775808",
            ],
            seen.Select(value => value is "True" ? "1" : value)
        );
    }

    [Fact]
    public async Task A_service_without_a_header_has_its_name_and_a_short_header_is_malformed()
    {
        Assert.Equal("stream", await TsharkAsync(Odd, true, ["-e", "camcube.service.name"]));
        Assert.Equal("bare", await TsharkAsync("", true, ["-e", "camcube.service.name"], service: 0x7f41));
        Assert.Equal(
            "Header of 2 bytes where stream declares 53",
            await TsharkAsync("07 01", true, ["-e", "_ws.expert.message"])
        );
    }

    [Fact]
    public async Task The_command_says_in_a_line_what_is_wrong_and_runs_without_a_host()
    {
        (int exit, string output, string error) = await CommandRun.OfAsync("service", "dissector", Assembly);
        Assert.Equal((0, ""), (exit, error));
        Assert.Equal(DissectorText.Of(Own()), output);
        foreach (
            (string named, string says) in new[]
            {
                ("nobody", "'nobody' is no project, folder or assembly"),
                (Path.Combine(AppContext.BaseDirectory, "CamCube.Topology.dll"), "has no class with [CamCubeService"),
                (Path.Combine(AppContext.BaseDirectory, "CamCube.Tool.Tests.deps.json"), "is no .NET assembly."),
            }
        )
        {
            (exit, output, error) = await CommandRun.OfAsync("service", "dissector", named);
            Assert.Equal((2, ""), (exit, output));
            Assert.Contains(says, error, StringComparison.Ordinal);
            Assert.Single(error.TrimEnd().Split('\n'));
        }
    }

    private static string Assembly => typeof(OddService).Assembly.Location;

    private static IReadOnlyList<ServiceHeader> Own() => HeaderReader.Read(Assembly);

    // A frame with one packet of the service, as tshark shows it.
    private static async Task<string> TsharkAsync(string header, bool isBefore, string[] fields, int service = 0x7f40)
    {
        if (!File.Exists("/usr/bin/tshark"))
        {
            Assert.Skip("There is no tshark.");
        }

        string folder = Directory.CreateTempSubdirectory("camcube-lua").FullName;
        try
        {
            byte[] bytes = Convert.FromHexString(header.Replace(" ", "", StringComparison.Ordinal));
            string capture = Path.Combine(folder, "one.pcap"),
                own = Path.Combine(folder, "own.lua"),
                lua = Path.Combine(Repository.Root, "tools", "wireshark", "camcube.lua");
            await File.WriteAllBytesAsync(capture, FrameOf(service, bytes));
            await File.WriteAllTextAsync(own, DissectorText.Of(Own()));
            string[] scripts = isBefore ? [own, lua] : [lua, own];
            var start = new ProcessStartInfo(
                "tshark",
                [
                    .. scripts.SelectMany(script => (string[])["-X", $"lua_script:{script}"]),
                    .. (string[])["-r", capture, "-T", "fields", "-E", "separator=;"],
                    .. fields,
                ]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process tshark = Process.Start(start)!;
            Task<string> errors = tshark.StandardError.ReadToEndAsync();
            string output = await tshark.StandardOutput.ReadToEndAsync();
            await tshark.WaitForExitAsync();
            Assert.True(tshark.ExitCode == 0, await errors);
            Assert.DoesNotContain("Lua", await errors, StringComparison.Ordinal);
            return output.TrimEnd('\n');
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static byte[] FrameOf(int service, byte[] header)
    {
        int length = 24 + header.Length;
        string frame = string.Create(
            CultureInfo.InvariantCulture,
            $"02000000000102000000000288b50100{Little(length + 4)}{Little(service)}{Little(length)}00{header.Length:x2}"
                + $"0500{new string('0', 32)}{Convert.ToHexString(header)}"
        );
        byte[] bytes = Convert.FromHexString(frame);
        using var file = new MemoryStream();
        using var writer = new BinaryWriter(file, Encoding.UTF8);
        foreach (uint word in (uint[])[0xA1B2C3D4, 0x0004_0002, 0, 0, 65_535, 1, 0, 0, (uint)bytes.Length])
        {
            writer.Write(word);
        }

        writer.Write(bytes.Length);
        writer.Write(bytes);
        return file.ToArray();
    }

    private static string Little(int number) => $"{number & 255:x2}{number >> 8:x2}";

    private unsafe struct TooLong
    {
        public fixed byte Bytes[65];
    }

    private unsafe struct WithPointer
    {
        public int* At { get; set; }
    }

    private struct WithNative
    {
        public nint At { get; set; }
    }
}
