using System.Globalization;
using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>The environment of programs, by the names that Hadoop Streaming gives, new and old.</summary>
internal static class TaskEnvironment
{
    /// <summary>That of an attempt at a map task.</summary>
    public static IReadOnlyList<string> OfMap(Job job, int task, int attempt)
    {
        Split split = job.Splits[task];
        string path = $"hdfs://{split.Path}";
        return
        [
            .. Common(job, isMap: true, task, attempt),
            $"mapreduce_map_input_file={path}",
            Number($"mapreduce_map_input_start", split.Offset),
            Number($"mapreduce_map_input_length", split.Length),
            $"map_input_file={path}",
            Number($"map_input_start", split.Offset),
            Number($"map_input_length", split.Length),
        ];
    }

    /// <summary>That of an attempt at a reduce.</summary>
    public static IReadOnlyList<string> OfReduce(Job job, int reduce, int attempt) =>
        [.. Common(job, isMap: false, reduce, attempt)];

    private static IEnumerable<string> Common(Job job, bool isMap, int task, int attempt)
    {
        string kind = isMap ? "true" : "false";
        string name = JobName.OfTask(job.Number, isMap, task);
        string attemptName = JobName.OfAttempt(job.Number, isMap, task, attempt);
        return
        [
            $"mapreduce_job_id={job.Name}",
            $"mapreduce_job_name={job.Description.Title}",
            Number("mapreduce_job_reduces", job.Description.Reduces),
            Number("mapreduce_job_maps", job.Splits.Count),
            $"mapreduce_task_id={name}",
            $"mapreduce_task_attempt_id={attemptName}",
            $"mapreduce_task_ismap={kind}",
            Number("mapreduce_task_partition", task),
            $"mapreduce_task_output_dir=hdfs://{job.Description.Output}",
            $"mapreduce_output_fileoutputformat_outputdir=hdfs://{job.Description.Output}",
            $"mapred_job_id={job.Name}",
            $"mapred_job_name={job.Description.Title}",
            $"mapred_tip_id={name}",
            $"mapred_task_id={attemptName}",
            $"mapred_task_is_map={kind}",
            Number("mapred_task_partition", task),
            $"mapred_output_dir=hdfs://{job.Description.Output}",
        ];
    }

    private static string Number(string name, long value) =>
        string.Create(CultureInfo.InvariantCulture, $"{name}={value}");
}
