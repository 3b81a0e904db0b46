using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop.Streaming;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands.Camdoop.Streaming;

public sealed class StreamingParserTests
{
    private const string Home = "/user/me";

    [Fact]
    public void What_mrjob_says_is_understood()
    {
        const string u = "hdfs:///user/me/tmp/mrjob/wc.1";
        StreamingJob parsed = Parse(
            "-files",
            $"{u}/files/wd/wc.py#wc.py,{u}/files/wd/mrjob.zip#mrjob.zip,{u}/files/wd/setup-wrapper.sh#setup-wrapper.sh",
            "-D",
            "mapreduce.partition.keypartitioner.options=-k1,1",
            "-D",
            "stream.num.map.output.key.fields=2",
            "-partitioner",
            "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner",
            "-cmdenv",
            "A=b=c",
            "-input",
            $"{u}/files/in.txt",
            "-output",
            $"{u}/output",
            "-mapper",
            "/bin/sh -ex setup-wrapper.sh python3 wc.py --step-num=0 --mapper",
            "-combiner",
            "/bin/sh -ex setup-wrapper.sh python3 wc.py --step-num=0 --combiner",
            "-reducer",
            "/bin/sh -ex setup-wrapper.sh python3 wc.py --step-num=0 --reducer"
        );
        JobDescription job = parsed.Job;
        Assert.Empty(parsed.Uploads);
        Assert.Equal(["/user/me/tmp/mrjob/wc.1/files/in.txt"], job.Inputs);
        Assert.Equal("/user/me/tmp/mrjob/wc.1/output", job.Output);
        Assert.Equal(
            new JobFile("/user/me/tmp/mrjob/wc.1/files/wd/mrjob.zip", "mrjob.zip"),
            Assert.Single(job.Files, static file => file.Name == "mrjob.zip")
        );
        Assert.Equal(3, job.Files.Count);
        Assert.Equal(
            ["/bin/sh", "-ex", "setup-wrapper.sh", "python3", "wc.py", "--step-num=0", "--mapper"],
            job.Map.Command
        );
        Assert.Equal("--combiner", job.Combine!.Command[^1]);
        Assert.Equal("--reducer", job.Reduce.Command[^1]);
        Assert.Equal((1, 2), (job.Reduces, job.Text.MapOutputKeyFields));
        Assert.Equal([KeyFields.First(1)], job.Text.PartitionFields);
        Assert.False(job.Text.MapInputHasKey);
        Assert.Contains("A=b=c", job.Environment);
        Assert.Contains("mapreduce_partition_keypartitioner_options=-k1,1", job.Environment);
        Assert.Contains("mapred_text_key_partitioner_options=-k1,1", job.Environment);
        Assert.Contains("mapred_reduce_tasks=1", job.Environment);
    }

    [Fact]
    public void Options_may_be_mixed_repeated_joined_and_have_two_dashes()
    {
        StreamingJob parsed = Parse(
            "-mapper",
            "cat",
            "--input",
            "a,hdfs://nn:9000/x/{b,c}/*.gz",
            "-Dmapred.job.name=old",
            "-D",
            "mapreduce.job.name=new",
            "-jobconf",
            "my.own-key=5 6",
            "-input",
            "/d//e/../f/",
            "-lazyOutput",
            "-output",
            "out",
            "-numReduceTasks",
            "7",
            "-D",
            "mapred.reduce.tasks=3",
            "-verbose"
        );
        Assert.Equal(["/user/me/a", "/x/{b,c}/*.gz", "/d/f"], parsed.Job.Inputs);
        Assert.Equal("/user/me/out", parsed.Job.Output);
        Assert.Equal(("new", 7), (parsed.Job.Title, parsed.Job.Reduces));
        Assert.True(parsed.IsVerbose && parsed.Job.LazyOutput);
        Assert.Contains("my_own_key=5 6", parsed.Job.Environment);
        Assert.Contains("mapreduce_job_reduces=7", parsed.Job.Environment);
        Assert.Contains("mapred_job_name=new", parsed.Job.Environment);
        Assert.Contains("mapred_output_dir=hdfs:///user/me/out", parsed.Job.Environment);
        Assert.Contains("mapred_input_dir=hdfs:///user/me/a,hdfs:///x/{b,c}/*.gz,hdfs:///d/f", parsed.Job.Environment);
    }

    [Fact]
    public void Files_for_the_working_folder_are_uploaded_or_named_and_have_names()
    {
        StreamingJob parsed = Minimal(
            "-file",
            "/home/me/a.py",
            "-files",
            "b.py,file:///c.py#d.py,hdfs:///e.zip#e,b.py",
            "-archives",
            "lib.tar.gz#lib,hdfs:///data.zip",
            "-cacheFile",
            "/stored/f#g",
            "-cacheArchive",
            "hdfs://nn/h.jar"
        );
        Assert.Equal(
            [
                new("/home/me/a.py", "a.py", false),
                new("b.py", "b.py", false),
                new("/c.py", "d.py", false),
                new("lib.tar.gz", "lib", true),
            ],
            parsed.Uploads
        );
        Assert.Equal(
            [
                new("/e.zip", "e"),
                new("/data.zip", "data.zip") { IsArchive = true },
                new("/stored/f", "g"),
                new("/h.jar", "h.jar") { IsArchive = true },
            ],
            parsed.Job.Files
        );
    }

    [Theory]
    [InlineData("-reducer", "NONE", 0, JobFunctionKind.Identity, false)]
    [InlineData("-reducer", "aggregate", 1, JobFunctionKind.Aggregate, true)]
    [InlineData("-reducer", "Aggregate", 1, JobFunctionKind.Aggregate, true)]
    [InlineData("-reducer", "IdentityReducer", 1, JobFunctionKind.Identity, false)]
    [InlineData("-reducer", "org.apache.hadoop.mapred.lib.IdentityReducer", 1, JobFunctionKind.Identity, false)]
    [InlineData("-reducer", "uniq -c", 1, JobFunctionKind.Program, false)]
    [InlineData("-combiner", "aggregate", 1, JobFunctionKind.Identity, true)]
    [InlineData("-combiner", "IdentityReducer", 1, JobFunctionKind.Identity, false)]
    public void Functions_have_names_or_are_commands(
        string option,
        string value,
        int reduces,
        JobFunctionKind reduce,
        bool combines
    )
    {
        JobDescription job = Minimal(option, value).Job;
        Assert.Equal((reduces, reduce, combines), (job.Reduces, job.Reduce.Kind, job.Combine is not null));
    }

    [Theory]
    [InlineData("TextInputFormat", JobInput.Lines, false)]
    [InlineData("org.apache.hadoop.mapred.TextInputFormat", JobInput.Lines, false)]
    [InlineData("KeyValueTextInputFormat", JobInput.KeyedLines, true)]
    [InlineData("org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat", JobInput.KeyedLines, true)]
    [InlineData("org.apache.hadoop.mapred.lib.NLineInputFormat", JobInput.LinesByNumber, true)]
    public void Formats_of_input_have_short_and_long_names(string name, JobInput input, bool hasKey)
    {
        Assert.Equal(input, Minimal("-inputformat", name).Job.Text.Input);
        Assert.Equal(hasKey, Minimal("-inputformat", name).Job.Text.MapInputHasKey);
        Assert.Equal(input, Minimal("-D", $"mapred.input.format.class={name}").Job.Text.Input);
        string[] values = ["-inputformat", name, "-D", "stream.map.input.ignoreKey=true"];
        Assert.False(Minimal(values).Job.Text.MapInputHasKey);
        Assert.True(Minimal("-inputformat", name, "-mapper", "IdentityMapper").Job.Text.MapInputHasKey);
    }

    [Fact]
    public void Parts_of_keys_count_with_their_classes_only()
    {
        string[] options =
        [
            "-D",
            "mapred.text.key.comparator.options=-k1,1 -k2,2nr",
            "-D",
            "mapreduce.partition.keypartitioner.options=-k1,1",
            "-D",
            "num.key.fields.for.partition=2",
        ];
        JobText without = Minimal(options).Job.Text;
        Assert.Equal((0, 0, 0), (without.SortFields.Count, without.PartitionFields.Count, without.PartitionKeyFields));
        JobText with = Minimal([
            .. options,
            "-partitioner",
            "KeyFieldBasedPartitioner",
            "-D",
            "mapred.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator",
        ]).Job.Text;
        Assert.Equal([KeyFields.First(1)], with.PartitionFields);
        Assert.Equal(2, with.PartitionKeyFields);
        KeyFields second = new(2, 1, 2, 0) { IsNumeric = true, IsReverse = true };
        Assert.Equal([KeyFields.First(1), second], with.SortFields);
    }

    [Theory]
    [InlineData("-foo", "-foo is no option of Hadoop Streaming")]
    [InlineData("cat", "'cat' belongs to no option")]
    [InlineData("-input", "-input wants PATH behind it")]
    [InlineData("-output|x", "-output is there twice")]
    [InlineData("-libjars|a.jar", "-libjars does not go here: there is no Java")]
    [InlineData("-inputreader|x", "-inputreader does not go here: there is no Java")]
    [InlineData("-D|abc", "-D 'abc': must be a name and a value")]
    [InlineData("-Dabc", "-D 'abc': must be a name and a value")]
    [InlineData("-D|=x", "-D '=x': must be a name and a value")]
    [InlineData("-cmdenv|A", "-cmdenv 'A': must be a name and a value")]
    [InlineData("-cmdenv|A=\0", "has a zero character")]
    [InlineData("-numReduceTasks|-1", "-numReduceTasks '-1': must be a whole number from 0 to 10,000")]
    [InlineData("-numReduceTasks|10001", "must be a whole number from 0 to 10,000")]
    [InlineData("-D|mapred.map.max.attempts=0", "mapred.map.max.attempts '0': must be a whole number from 1 to 100")]
    [InlineData("-D|mapreduce.task.timeout=soon", "mapreduce.task.timeout 'soon': must be a whole number")]
    [InlineData("-D|mapreduce.map.speculative=yes", "must be true or false")]
    [InlineData("-D|mapreduce.input.fileinputformat.split.maxsize=9t9", "must be a number of bytes")]
    [InlineData("-D|mapreduce.input.fileinputformat.split.maxsize=9999999999t", "must be a number of bytes")]
    [InlineData("-D|stream.map.output.field.separator=", "at least one character")]
    [InlineData("-D|mapred.input.dir=/x", "mapred.input.dir does not go here: -input and -output say it")]
    [InlineData("-D|mapred.text.key.comparator.options=-k0", "'-k0' is not of the form")]
    [InlineData("-D|camdoop.trees=seven", "must be six, one or none")]
    [InlineData("-servers|", "names no server")]
    [InlineData("-D|camdoop.servers= ,", "names no server")]
    [InlineData("-servers|0-3,2", "-servers '0-3,2': names server 2 twice.")]
    [InlineData("-servers|3-1", "must be ranks of servers, as in 0-12,20")]
    [InlineData("-servers|0-99999999999", "must be ranks of servers")]
    [InlineData("-servers|0-2000000000", "must be ranks of servers")]
    [InlineData("-servers|-1", "must be ranks of servers")]
    [InlineData("-servers|1-2-3", "must be ranks of servers")]
    [InlineData("-servers|all", "must be ranks of servers")]
    [InlineData("-D|mapred.output.compression.codec=BZip2Codec", "only org.apache.hadoop.io.compress.GzipCodec")]
    [InlineData("-partitioner|org.example.Mine", "'org.example.Mine': there is no Java; of partitioners here are Hash")]
    [InlineData(
        "-inputformat|SequenceFileInputFormat",
        "of input here are TextInputFormat, KeyValueTextInputFormat, N"
    )]
    [InlineData("-mapper|org.example.Wc", "'org.example.Wc': looks like a Java class")]
    [InlineData("-reducer|org.apache.hadoop.mapred.lib.LongSumReducer", "here are IdentityReducer, aggregate and comm")]
    [InlineData("-mapper|", "-mapper '': is no command")]
    [InlineData("-mapper|  ", "is no command")]
    [InlineData("-mapper|a 'b", "a quotation mark (') is not closed.")]
    [InlineData("-files|a#../b", "'../b' cannot be a name in the working folder")]
    [InlineData("-files|a#b,c#b", "two files would have the name 'b'")]
    [InlineData("-files|a,,b", "there is a file without a name")]
    [InlineData("-files|s3://x/y", "only paths of CamCube's file store go here")]
    [InlineData("-cacheFile|/x/", "two files would have the name 'x'", "-file|/y/x")]
    [InlineData("-input|file:///x", "only paths of CamCube's file store go here")]
    [InlineData("-input|", "a path has at least one character")]
    [InlineData("-input|a,,b", "a path has at least one character")]
    [InlineData("-input|/a\0b", "no control characters")]
    [InlineData("-io|typedbytes", "programs read and write lines of text")]
    [InlineData("-mapper-type|A.B", "-mapper-type 'A.B': say which -assembly has it.")]
    [InlineData("-assembly|a.dll", "-assembly is there, and no type of it")]
    [InlineData("-assembly|", "cannot be the name of a file")]
    [InlineData("-assembly|a.dll|-mapper-type|A.B", "-mapper-type A.B says something else", "-mapper|cat")]
    [InlineData("-reducer-type| ", "is no name of a type", "-assembly|a.dll")]
    [InlineData("-conf|x.xml", "settings in XML are not read")]
    public void What_is_wrong_is_said_by_name_in_one_line(string arguments, string says, string before = "")
    {
        string[] all =
        [
            .. Minimum(arguments.Contains("-mapper", StringComparison.Ordinal)),
            .. before.Length == 0 ? [] : before.Split('|'),
            .. arguments.Replace("\\0", "\0", StringComparison.Ordinal).Split('|'),
        ];
        ToolException wrong = Assert.Throws<ToolException>(() => StreamingParser.Parse(all, Home));
        Assert.Equal(ExitCode.Usage, wrong.ExitCode);
        Assert.Contains(says, wrong.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', wrong.Message);
    }

    [Theory]
    [InlineData("-servers", "20,0-3", new[] { 0, 1, 2, 3, 20 })]
    [InlineData("--servers", "7", new[] { 7 })]
    [InlineData("-D", "camdoop.servers=4 1;2", new[] { 1, 2, 4 })]
    public void A_job_may_be_for_some_servers(string option, string value, int[] servers)
    {
        Assert.Equal(servers, Minimal([option, value]).Job.Servers);
        Assert.Null(Minimal([]).Job.Servers);
    }

    [Fact]
    public void Types_of_an_assembly_may_stand_beside_commands()
    {
        StreamingJob job = StreamingParser.Parse(
            [
                "-input",
                "/a",
                "-output",
                "/b",
                "-assembly",
                "hdfs:///jobs/Shop.dll",
                "-mapper",
                "cat",
                "-combiner-type",
                "Shop.Sum",
                "-reducer-type",
                "Shop.Sum",
                "-partitioner-type",
                "Shop.Ranges",
            ],
            Home
        )!;
        Assert.Null(job.Assembly);
        Assert.Equal(("/jobs/Shop.dll", "Shop.Ranges"), (job.Job.Assembly, job.Job.Partitioner));
        Assert.Equal(JobFunctionKind.Program, job.Job.Map.Kind);
        Assert.Equal((JobFunctionKind.Function, "Shop.Sum"), (job.Job.Combine!.Kind, job.Job.Combine.Name));
        Assert.Equal((JobFunctionKind.Function, "Shop.Sum"), (job.Job.Reduce.Kind, job.Job.Reduce.Name));
    }

    [Theory]
    [InlineData("-input /x", "-output is missing")]
    [InlineData("-output /x", "-input is missing")]
    public void What_is_missing_is_said(string arguments, string says)
    {
        var wrong = Assert.Throws<ToolException>(() => StreamingParser.Parse(arguments.Split(' '), Home));
        Assert.Equal(ExitCode.Usage, wrong.ExitCode);
        Assert.StartsWith(says, wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_environment_is_one_that_programs_can_be_started_with()
    {
        string long_ = new('x', StreamingEnvironment.MostBytes);
        Assert.Contains("A: a variable of the environment", Refused("-cmdenv", $"A={long_}"), StringComparison.Ordinal);
        Assert.Contains("x_y: a variable", Refused("-D", $"x.y={long_}"), StringComparison.Ordinal);
        string[] many = [.. Enumerable.Range(0, 20).SelectMany(i => new[] { "-D", $"x{i}={long_[..60_000]}" })];
        Assert.Contains("the whole environment", Refused(many), StringComparison.Ordinal);
        string[] inputs = [.. Enumerable.Range(0, 9_000).SelectMany(static i => new[] { "-input", $"/in/{i}" })];
        JobDescription job = Minimal(inputs).Job;
        Assert.Equal(9_001, job.Inputs.Count);
        Assert.DoesNotContain(
            job.Environment,
            static one => one.StartsWith("mapred_input_dir", StringComparison.Ordinal)
        );
    }

    [Theory]
    [InlineData("-help")]
    [InlineData("--help")]
    [InlineData("-info")]
    public void Help_is_asked_for_without_anything_else(string argument) =>
        Assert.Null(StreamingParser.Parse([argument], Home));

    // Whatever comes, it is a job, help, or one line.
    [Fact]
    public void Drawn_arguments_end_in_a_job_or_in_words()
    {
        var random = new Random(22);
        string[] words =
        [
            .. StreamingArguments.All.SelectMany(static option => option.Names),
            .. StreamingProperties.All.SelectMany(static option => option.Names).SelectMany(Values),
            "/a",
            "x#y",
            "a,b#c",
            "'",
            "\\",
            "",
            "-",
            "--",
            "=",
            "#",
            ",",
            "\0",
            "{",
            "hdfs://",
            "hdfs:///",
            "{a,b}/c",
        ];
        int jobs = 0,
            wrongs = 0;
        for (int i = 0; i < 20_000; i++)
        {
            string[] arguments =
            [
                .. i % 2 == 0 ? Minimum(false) : [],
                .. Enumerable.Range(0, random.Next(6)).Select(_ => words[random.Next(words.Length)]),
            ];
            try
            {
                _ = StreamingParser.Parse(arguments, Home);
                jobs++;
            }
            catch (ToolException e)
            {
                Assert.Equal(ExitCode.Usage, e.ExitCode);
                Assert.NotEmpty(e.Message);
                wrongs++;
            }
        }

        Assert.True(jobs > 1_000 && wrongs > 1_000, $"{jobs} jobs, {wrongs} wrong");
    }

    private static string Refused(params string[] more) => Assert.Throws<ToolException>(() => Minimal(more)).Message;

    private static IEnumerable<string> Values(string name) => [$"-D{name}=1", $"-D{name}=true", $"-D{name}=-k1.2,3nr"];

    private static StreamingJob Parse(params string[] arguments) => StreamingParser.Parse(arguments, Home)!;

    private static StreamingJob Minimal(params string[] more) => Parse([.. Minimum(more.Contains("-mapper")), .. more]);

    private static string[] Minimum(bool withoutMapper) =>
        ["-input", "/in", "-output", "/out", .. withoutMapper ? Array.Empty<string>() : ["-mapper", "cat"]];
}
