"""What the files of dags/ put together: operators over crawler/pipeline, errors, assets.

Nothing heavy is imported at the top of these modules: Airflow reads the DAG files all the time.
"""
